#!/usr/bin/env node
/** Serves GitHub: `trunkline-github [directory…] --repo owner/name`; the token is in GITHUB_TOKEN. */
import { serveFromCommandLine } from '@trunkline/mcp'
import { githubUsage, readGithubCommandLine } from './command-line.ts'
import { githubServer } from './github-server.ts'

try {
  const { options, rest } = readGithubCommandLine(process.argv.slice(2), process.cwd())
  if (rest.includes('--help') || rest.includes('-h')) console.log(githubUsage)
  const token = process.env.GITHUB_TOKEN
  // programs that this one might start do not inherit it
  delete process.env.GITHUB_TOKEN
  await serveFromCommandLine(await githubServer({ ...options, token }), { args: rest })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
