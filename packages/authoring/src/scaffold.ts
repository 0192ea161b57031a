/** `trunkline new`: the files of a new project. */
export { projectFiles } from './scaffold/project-files.ts'
