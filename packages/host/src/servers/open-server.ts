import { type Client, type ConnectOptions, connect, McpError } from '@trunkline/mcp'
import { type ChildChannel, spawnChannel } from '@trunkline/mcp/stdio'
import { watchHealth } from './health.ts'
import type { Launch, ProgramLaunch } from './launch.ts'
import { startedAsAccepted } from './program-updates.ts'
import { lackingOf, refuseWithoutNeeds } from './requirements/check-needs.ts'
import { type SandboxedLaunch, sandboxed } from './sandbox/sandbox.ts'
import type { Concealed } from './sandbox/settings.ts'
import { type ServerSpec, specDefaults, type Unresolved } from './server-spec.ts'
import type { Throttle } from './throttle.ts'

/** Bytes of one message of a server; a result that is too large to be passed on can be kept up to this size. */
const maxMessageBytes = 64 * 1024 ** 2

/** Options of the connections to all servers. */
export interface Connecting {
  /** The client options for this server: answers to its requests, and listeners. */
  options(spec: ServerSpec): ConnectOptions
  /** Folders that no confined program sees. @default none */
  readonly concealed?: Concealed
  /** Resolves when the person has signed in to this server; undefined if there is no need to. */
  whenSignedIn?(spec: ServerSpec, signal: AbortSignal | undefined): Promise<void> | undefined
  /** Obstacle to the start of this server, which a person has to remove; undefined if it may start. @default none */
  refusalToStart?(spec: ServerSpec): Promise<Unresolved | undefined>
}

/** A server that can be used. */
export interface Connected {
  readonly client: Client
  readonly pid: number | undefined
  /** Remarks for a person: what it lacks, and that it updates itself. @default none */
  readonly remarks?: readonly string[]
  /** Resolves when the connection is gone: with the reason, or with nothing when we ended it. */
  readonly ended: Promise<string | undefined>
  close(): Promise<void>
}

interface OpenOptions extends Connecting {
  /** The current spec, whose limits may change while it runs. @default as it was started */
  current?(): ServerSpec
  /** Limits how much it may send unasked. @default nothing does */
  readonly throttle?: Throttle
  /** Breaks the start off. */
  readonly signal?: AbortSignal
  onStderr(text: string): void
  /** Receives output on stdout that is no message, line by line. */
  onNoise?(line: string): void
  /** Called with a part of an answer that cannot be used. */
  onWarning(warning: string): void
  /** Called before the program starts, where it is to be confined. */
  onSandbox?(sandbox: SandboxedLaunch): void
}

/** Starts or reaches a server and waits until it is ready; a started program is ended when that fails. */
export async function openServer(spec: ServerSpec, launch: Launch, options: OpenOptions): Promise<Connected> {
  const { startMs = specDefaults.startMs } = spec
  const { onWarning, signal } = options
  const usual = options.options(spec)
  const base: ConnectOptions = {
    timeoutMs: startMs,
    ...usual,
    ...through(usual, options.throttle),
    ...(spec.revision !== undefined && { revisions: [spec.revision] }),
    limits: { ...usual.limits, maxMessageBytes },
    onWarning,
    ...(signal && { signal }),
    cache: false,
  }
  if (launch.kind === 'remote') {
    const http = { ...base.http, headers: launch.headers, ...(launch.network && { network: launch.network }) }
    const client = await orOnceMore(() => connect(new URL(launch.url), { ...base, http }))
    return connected(spec, options, { client, child: undefined })
  }
  await refuseWithoutNeeds(launch, spec.source)
  const { client, child, updates } = await startedAsAccepted(launch, spec.source, (own) =>
    startProgram(own, base, options),
  )
  const lacking = await lackingOf(client, launch, spec.source)
  const remarks = [lacking, updates].filter((remark) => remark !== undefined)
  return { ...connected(spec, options, { client, child }), remarks }
}

/** Counts the messages of a server before anything else sees them. */
function through({ through: seen }: ConnectOptions, throttle: Throttle | undefined): Pick<ConnectOptions, 'through'> {
  if (!throttle) return {}
  return { through: (channel) => (seen ? seen(throttle.through(channel)) : throttle.through(channel)) }
}

/** A program that runs and answers. */
interface Started {
  readonly client: Client
  readonly child: ChildChannel | undefined
}

async function startProgram(launch: ProgramLaunch, base: ConnectOptions, options: OpenOptions): Promise<Started> {
  const sandbox = launch.sandbox && (await sandboxed(launch, launch.sandbox, options.concealed))
  if (sandbox) options.onSandbox?.(sandbox)
  // revisions are tried one after the other, each with a process of its own; the last one is the one that stays
  let child: ChildChannel | undefined
  const dial = (): ChildChannel => {
    child = spawnProgram(sandbox?.launch ?? launch, options)
    return child
  }
  return { client: await connect(dial, base), child }
}

function spawnProgram(
  { command, args, cwd, env, base }: ProgramLaunch,
  { onStderr, onNoise }: OpenOptions,
): ChildChannel {
  return spawnChannel(
    { command, args, cwd, env, ...(base && { baseEnv: base }) },
    {
      onStderr,
      ...(onNoise && { onNoise }),
      endDaemons: true,
      limits: { maxMessageBytes },
    },
  )
}

function connected(
  spec: ServerSpec,
  { current = () => spec, throttle }: OpenOptions,
  { client, child }: Started,
): Connected {
  let isClosing = false
  let ill: string | undefined
  const health = watchHealth(client, {
    current,
    pid: child?.pid,
    isThrottled: () => throttle?.why !== undefined,
    onIll: (why) => {
      ill = why
      void client.close()
    },
  })
  const ended = client.whenClosed.then((reason) => {
    health.stop()
    if (ill !== undefined) return ill
    return isClosing ? undefined : (reason?.message ?? 'the server closed the connection')
  })
  return {
    client,
    pid: child?.pid,
    ended,
    async close() {
      isClosing = true
      await client.close()
    },
  }
}

/** A server that was just restarted ends the connections that were kept from before; opening has no effect, so it may be repeated. */
async function orOnceMore<Value>(open: () => Promise<Value>): Promise<Value> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof McpError) || error.code !== 'Closed') throw error
    return open()
  }
}
