export { type FilesLimits, filesLimits } from './files-limits.ts'
export { type FilesServerOptions, filesServer } from './files-server.ts'
