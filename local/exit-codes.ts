/** A part that ends with this code cannot start as things are; starting it again would not help (EX_CONFIG). */
export const EXIT_CONFIGURATION = 78;
