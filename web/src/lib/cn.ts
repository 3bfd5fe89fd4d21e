/** Joins class names and skips falsy values. Why it does not merge them: docs/decisions/0030. */
export { cx as cn } from 'class-variance-authority';
