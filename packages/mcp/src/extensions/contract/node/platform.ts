/** The functions of Node that the contract needs. */
export { pathWithin, workingFolder } from './path-within.ts'
export { readSettingsFile } from './read-settings-file.ts'
export { unnamedFiles as spillPlace } from './unnamed-files.ts'
