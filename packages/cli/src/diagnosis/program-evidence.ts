import type { ClientExtension, Tool } from '@trunkline/mcp/client'
import type { Requirements, Updates } from '@trunkline/mcp/contract'
import type { SpawnTarget } from '@trunkline/mcp/stdio'
import type { Said } from './remarks.ts'

/** Evidence from starting a program once. */
export interface ProgramEvidence {
  /** Exit of the program, if it ended by itself. */
  readonly exit: { readonly code: number | null; readonly signal: string | null } | undefined
  readonly stderr: string
  /** The first lines on stdout that are no messages. */
  readonly noise: readonly string[]
  /** Warnings of the library about lists it could not read. */
  readonly warnings: readonly string[]
  /** Undefined when it never came to listing them. */
  readonly tools: readonly Tool[] | undefined
  /** Requirements that it declares. */
  readonly requires: Requirements | undefined
  /** Ways to update it that it declares. */
  readonly updates: Updates | undefined
  readonly error: { readonly code: string; readonly message: string } | undefined
}

export interface ProbeOptions {
  /** Milliseconds for each answer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Receives what is no failure and a person should know. */
  note?(line: string): void
}

/** A server that ends within this time after its first answers does not run. */
const settleMs = 1_500
const maxNoiseLines = 20

/** Starts a program, opens a conversation, lists its tools, and waits a moment; then ends it. */
export async function probeProgram(target: SpawnTarget, { timeoutMs, signal }: ProbeOptions): Promise<ProgramEvidence> {
  const [{ open }, { contract }, { spawnChannel }] = await Promise.all([
    import('@trunkline/mcp/client'),
    import('@trunkline/mcp/contract'),
    import('@trunkline/mcp/stdio'),
  ])
  const noise: string[] = []
  const warnings: string[] = []
  const channels: ReturnType<typeof spawnChannel>[] = []
  const onNoise = (line: string): void => {
    if (noise.length < maxNoiseLines) noise.push(line)
  }
  let tools: readonly Tool[] | undefined
  let said: Said = {}
  let error: ProgramEvidence['error']
  let exit: ProgramEvidence['exit']
  try {
    const dial = () => {
      const channel = spawnChannel(target, { onNoise })
      channels.push(channel)
      return channel
    }
    const onWarning = (message: string) => void warnings.push(message)
    const extensions = [contract() as ClientExtension]
    await using client = await open(dial, { timeoutMs, maxTotalMs: timeoutMs, signal, onWarning, extensions })
    said = client as Said
    tools = client.capabilities.tools ? await client.tools.list({ signal }).all() : []
    exit = await exitWithin(channels.at(-1), settleMs)
  } catch (caught) {
    signal.throwIfAborted()
    error = {
      code: String((caught as { code?: unknown }).code ?? ''),
      message: caught instanceof Error ? caught.message : String(caught),
    }
  }
  const last = channels.at(-1)
  // "Closed" means that the program ended by itself, so its exit follows
  if (error?.code === 'Closed') exit ??= await exitWithin(last, settleMs)
  const stderr = channels.map((channel) => channel.stderr()).join('')
  return { exit, stderr, noise, warnings, tools, requires: said.requires, updates: said.updates, error }
}

async function exitWithin(
  channel: { readonly exited: Promise<{ code: number | null; signal: string | null }> } | undefined,
  waitMs: number,
): Promise<ProgramEvidence['exit']> {
  if (!channel) return undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs)
  })
  try {
    return await Promise.race([channel.exited, late])
  } finally {
    clearTimeout(timer)
  }
}
