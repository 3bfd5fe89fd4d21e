/** Joins class names and skips falsy values. docs/decisions/0030 says why it does not merge classes. */
export { cx as cn } from 'class-variance-authority';
