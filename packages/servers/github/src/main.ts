#!/usr/bin/env node
/** Serves GitHub: `trunkline-github [directory…] --repo owner/name`; the token is in GITHUB_TOKEN. */
import { serveFromCommandLine } from '@trunkline/mcp'
import { githubUsage, readGithubCommandLine } from './command-line.ts'
import { githubServer } from './github-server.ts'

try {
  const { options, rest } = readGithubCommandLine(process.argv.slice(2), process.cwd())
  if (rest.includes('--help') || rest.includes('-h')) console.log(githubUsage)
  const { GITHUB_TOKEN: token, GITHUB_APP_ID: id, GITHUB_APP_KEY: key } = process.env
  // programs that this one might start do not inherit them
  for (const name of ['GITHUB_TOKEN', 'GITHUB_APP_ID', 'GITHUB_APP_KEY']) delete process.env[name]
  const app = id && key ? { id, key } : undefined
  await serveFromCommandLine(await githubServer({ ...options, token, app }), { args: rest })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
