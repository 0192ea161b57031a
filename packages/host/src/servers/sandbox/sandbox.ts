import { existsSync, realpathSync } from 'node:fs'
import { McpError } from '@trunkline/mcp'
import type { ProgramLaunch } from '../launch.ts'
import { bubblewrapProblem, inBubblewrap } from './bubblewrap.ts'
import { nodeProblem, withNodePermissions } from './node-permissions.ts'
import type { Concealed, SandboxSettings } from './settings.ts'

/** Mechanism that confines a program. */
export type SandboxMechanism = 'bubblewrap' | 'node'

/** A program as it is started, and a description of its sandbox for a person. */
export interface SandboxedLaunch {
  readonly launch: ProgramLaunch
  /** Undefined where it runs without one. */
  readonly mechanism: SandboxMechanism | undefined
  readonly says: string
}

type Attempt = { readonly launch: ProgramLaunch } | { readonly problem: string }

const attempts: {
  readonly [Mechanism in SandboxMechanism]: (launch: ProgramLaunch, concealed?: Concealed) => Promise<Attempt>
} = {
  async bubblewrap(launch, concealed) {
    const found = await bubblewrapProblem(launch)
    return 'problem' in found ? found : { launch: inBubblewrap(found.path, launch, concealed) }
  },
  async node(launch) {
    const found = await nodeProblem(launch)
    return 'problem' in found ? found : { launch: withNodePermissions(found, launch) }
  },
}

const names = { bubblewrap: 'bubblewrap', node: "Node's permission model" } as const

/**
 * A program in its sandbox: bubblewrap where it works, else Node's permission model where the program is one of Node,
 * else none, and a sentence that says why.
 */
export async function sandboxed(
  launch: ProgramLaunch,
  settings: SandboxSettings,
  concealed?: Concealed,
): Promise<SandboxedLaunch> {
  const confined = { ...launch, sandbox: { ...settings, writable: settings.writable.map(realFolder) } }
  const problems: string[] = []
  for (const mechanism of settings.by ? [settings.by] : (['bubblewrap', 'node'] as const)) {
    const attempt = await attempts[mechanism](confined, concealed)
    if ('launch' in attempt)
      return {
        launch: attempt.launch,
        mechanism,
        says: `in a sandbox of ${names[mechanism]}: ${whatItMay(confined.sandbox)}`,
      }
    problems.push(attempt.problem)
  }
  const why = problems.join(', and ')
  if (settings.required)
    throw new McpError('Spawn', `Cannot start "${launch.command}" in a sandbox: ${why}`, { outcome: 'NotSent' })
  return { launch, mechanism: undefined, says: `without a sandbox: ${why}` }
}

/** Describes to a person what a program in this sandbox may do. */
export function whatItMay({ writable, network = true }: SandboxSettings): string {
  const paths = writable.map((path) => `"${path}"`).join(', ')
  const writes = paths === '' ? 'it can write nothing' : `it can write ${paths} and nothing else`
  return network ? writes : `${writes}, and has no network`
}

/** The real path of a folder; a sandbox knows no links. */
function realFolder(path: string): string {
  if (!existsSync(path))
    throw new McpError(
      'Spawn',
      `Cannot make the sandbox: "${path}" of sandbox.writable is not there; create it first`,
      {
        outcome: 'NotSent',
      },
    )
  return realpathSync(path)
}
