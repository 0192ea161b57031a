#!/usr/bin/env node
/** Serves repositories: `trunkline-git [directory…] [--read-only] [--hooks accepted] …`, the current one unless others are named. */
import { serveFromCommandLine } from '@trunkline/mcp'
import { gitUsage, readGitCommandLine } from './command-line.ts'
import { gitServer } from './git-server.ts'

try {
  const { options, rest } = readGitCommandLine(process.argv.slice(2), process.cwd())
  if (rest.includes('--help') || rest.includes('-h')) console.log(gitUsage)
  await serveFromCommandLine(await gitServer(options), { args: rest })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
