/** Class names in a row, without those that are false. Why they are not merged: docs/decisions/0030. */
export { cx as cn } from 'class-variance-authority';
