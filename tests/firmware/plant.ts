/** The plant of the board that the tests run. */
export const PLANT = 'fern';
