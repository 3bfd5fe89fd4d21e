/**
 * A part exits with this code when it cannot start until something changes, so that restarting it is pointless
 * (EX_CONFIG).
 */
export const EXIT_CONFIGURATION = 78;
