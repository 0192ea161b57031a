/** The error of all parts; loads nothing else. */
export { AuthoringError } from './failure/authoring-error.ts'
