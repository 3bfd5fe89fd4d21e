/** How much waits for somebody, by screen. */
export type AwaitingCounts = {
  users: {
    /** Numbers that nobody has confirmed to be their user's. */
    unconfirmed_numbers: number;
    /** Months of the access log that are over and not signed off. */
    due_reviews: number;
  };
  /** What is counted in PLANTS_DB is null when that does not answer. */
  plants: { dry_plants: number | null };
  health: {
    /** Troubles that the watch has found and that are not over. */
    failed_parts: number;
    /** Messages that the bridges could not understand and keep. */
    dead_letters: number | null;
  };
};

/** Response of GET /api/awaiting. Screens that the user may not open are absent. */
export type Awaiting = { [Screen in keyof AwaitingCounts]?: AwaitingCounts[Screen] | undefined };

/** Response of GET /api/overview, for the settings page. What the user may not open is absent. */
export type Overview = {
  /** In won. The month is Seoul's. */
  account?: { balance: number; deposits: number; withdrawals: number } | undefined;
  lab?:
    | {
        users: number;
        students: number;
        /** Subjects of the running term's courses. */
        courses: string[];
        /** Null before the first one. */
        last_backup: string | null;
      }
    | undefined;
};
