export { type FilesServerOptions, filesServer } from './files-server.ts'
export { type FilesLimits, filesLimits } from './limits.ts'
