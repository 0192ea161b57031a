import { join } from 'node:path'
import { must } from '../tools/lib/run.ts'
import { oldestNode } from '../tools/lib/supported.ts'
import { isAtLeast } from '../tools/lib/version.ts'
import { binaryOf } from './binaries.ts'
import { nodeVersions } from './node-versions.ts'
import { cache } from './prepare.ts'
import type { Report } from './programs/site.ts'
import { checkWorker } from './workerd.ts'

/** Something that runs programs. */
export interface Runtime {
  readonly name: string
  /** Path on this machine, if it is installed. */
  readonly binary: string | undefined
  /** Runs the checks in it. */
  check(binary: string): Promise<Report>
}

/** Every runtime, the one of most users first. */
export async function runtimes(): Promise<readonly Runtime[]> {
  const nodes = (await nodeVersions()).filter(({ version }) => isAtLeast(version, oldestNode))
  return [
    ...nodes.map(({ binary }) => ({ name: 'Node', binary, check: running('node.js') })),
    { name: 'Bun', binary: binaryOf('bun', 'bin/bun'), check: running('bun.js', 'run') },
    { name: 'Deno', binary: binaryOf('deno', 'deno'), check: running('deno.js', 'run', '--allow-net=127.0.0.1') },
    { name: 'workerd', binary: binaryOf('workerd', 'bin/workerd'), check: checkWorker },
  ]
}

/** Runs a program whose last line is its report. */
function running(program: string, ...args: readonly string[]): Runtime['check'] {
  return async (binary) => {
    const output = await must(binary, [...args, join(cache, program)], { cwd: cache })
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Report
  }
}
