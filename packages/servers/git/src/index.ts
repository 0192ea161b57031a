export { type GitLimits, gitLimits } from './git-limits.ts'
export { type GitServerOptions, gitServer } from './git-server.ts'
