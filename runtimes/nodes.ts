/** The built command and host on every Node that the README names, except the one that runs all other tests. */
import { join } from 'node:path'
import { root } from '../tools/lib/files.ts'
import { installApart } from '../tools/lib/install.ts'
import { fail } from '../tools/lib/problem.ts'
import { run } from '../tools/lib/run.ts'
import { newerNode } from '../tools/lib/supported.ts'
import { isAtLeast } from '../tools/lib/version.ts'
import { type NodeVersion, nodeVersions } from './node-versions.ts'

const command = join(root, 'packages/cli/dist/bin/trunkline.js')
const limitMs = 600_000

/** First what a person does on the first day, then what may not be lost when a process is killed. */
const tests = [
  'packages/cli/test/tools.test.ts',
  'packages/cli/test/call.test.ts',
  'packages/cli/test/host/up.test.ts',
  'packages/cli/test/host/stdio.test.ts',
  'packages/host/test/upgrade/other-node.test.ts',
  'packages/host/test/kills/kill-at-random.test.ts',
  'packages/host/test/kills/ledger-after-kill.test.ts',
  'packages/mcp/test/durability/kill-at-every-step.test.ts',
  'packages/mcp/test/durability/kill-at-random.test.ts',
  'packages/mcp/test/durability/waiting.test.ts',
]

async function main(): Promise<void> {
  await installApart('runtimes')
  const oldest = newerNode.trunkline ?? ''
  const versions = (await nodeVersions()).filter(
    ({ version }) => isAtLeast(version, oldest) && version !== process.versions.node,
  )
  if (versions.length === 0)
    throw new Error(`Cannot find another Node from ${oldest} on for ${process.platform} ${process.arch}`)
  const said: string[] = []
  for (const one of versions) said.push(await passesOn(one))
  console.log(said.join(', '))
}

async function passesOn({ version, binary }: NodeVersion): Promise<string> {
  const log = join(root, `node_modules/.cache/tests-on-${version}.log`)
  // the tests' own Node is killed at more instants; here each victim is, once: host, server, and both
  const rounds = { TRUNKLINE_KILL_ROUNDS: process.env.TRUNKLINE_KILL_ROUNDS ?? '3' }
  const env = { ...process.env, ...rounds, NODE_UNDER_TEST: binary, COMMAND_UNDER_TEST: command }
  const { passed, output } = await run(process.execPath, ['tools/run-tests.ts', '--log', log, ...tests], {
    env,
    limitMs,
  })
  if (!passed) throw new Error(`Cannot promise Node ${version}\n${output}`)
  return `${output.trim().split('\n').at(-1)} on Node ${version}`
}

await main().catch(fail)
