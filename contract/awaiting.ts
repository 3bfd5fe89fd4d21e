/** How many items wait for somebody, by screen. */
export type AwaitingCounts = {
  users: {
    /** How many student or staff numbers of users nobody has confirmed yet. */
    unconfirmed_numbers: number;
    /** How many past months of the access log nobody has signed off yet. */
    due_reviews: number;
  };
  /** Counts from PLANTS_DB are null when that database does not answer. */
  plants: { dry_plants: number | null };
  health: {
    /** Alerts that the watch has raised and that are not over. */
    failed_parts: number;
    /** Messages that a bridge could not understand and has stored. */
    dead_letters: number | null;
  };
};

/** Response of GET /api/awaiting. Screens that the user may not open are absent. */
export type Awaiting = { [Screen in keyof AwaitingCounts]?: AwaitingCounts[Screen] | undefined };

/** Response of GET /api/overview, for the settings page. Parts that the user may not open are absent. */
export type Overview = {
  /** In won, without planned entries: the balance today, and this month's deposits and withdrawals. */
  account?: { balance: number; deposits: number; withdrawals: number } | undefined;
  lab?:
    | {
        users: number;
        students: number;
        /** Subjects of the courses in the current term. */
        courses: string[];
        /** Null before the first backup. */
        last_backup: string | null;
      }
    | undefined;
};
