/** The program of a page that shows views. */
export { apps, openView, sandboxPage } from '../../../src/apps.ts'
export { connect } from '../../../src/index.ts'
