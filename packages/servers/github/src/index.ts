export { type GithubLimits, githubLimits } from './github-limits.ts'
export { type GithubServerOptions, githubServer } from './github-server.ts'
