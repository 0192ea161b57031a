import type { Fields } from '@trunkline/mcp'
import { newActId } from '../act/act-id.ts'
import { Refused } from '../act/refused.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'
import type { ActHandler, Doing } from '../acts/doing.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Entry } from '../catalogue/entry.ts'
import type { PlannedTool, ToolTable } from '../pipe/check-plan.ts'
import type { MadeCall } from '../pipe/make-call.ts'
import type { PipeLimits } from '../pipe/pipe-limits.ts'
import type { PipeRequest } from '../pipe/pipes.ts'
import { StepError } from '../pipe/step-error.ts'
import type { CallRound } from '../relay/open-call.ts'
import type { OpenCalls } from '../relay/open-calls.ts'
import { entryNamed, type View, visibleEntries } from './view.ts'

/** Dependencies of the calls of a plan. */
export interface PipeCallParts {
  readonly catalogue: Catalogue
  readonly calls: OpenCalls
  /** The stack of a call of a plan. */
  step(beforeSent: () => Promise<void>): ActHandler
  /** Asks servers that were never seen for their offers. */
  learn(servers: readonly ServerKey[]): Promise<void>
  /** The limits of plans in a project; undefined for those of the host. */
  pipeLimits?(project: string | undefined): Required<PipeLimits> | undefined
}

interface EntryTool extends PlannedTool {
  readonly entry: Entry
}

/** A plan of a caller: each of its calls is an act of that caller, on the tools it is offered here. */
export function pipeRequest(doing: Doing, view: View, parts: PipeCallParts) {
  const untrusted = new Set<string>()
  const { act, call } = doing
  const request: PipeRequest<EntryTool> = {
    principal: act.principal.id,
    trace: act.trace,
    signal: call.signal,
    limits: parts.pipeLimits?.(act.project),
    tools: () => toolsOf(view, parts),
    onProgress: (progress, message) => call.progress({ progress, message }),
    async call(tool, args, made) {
      const result = await callStep(doing, tool, args, made, parts)
      const source = (result._meta as Fields | undefined)?.['dev.trunkline/untrusted']
      if (typeof source === 'string') untrusted.add(source)
      return withoutNote(result)
    },
  }
  return {
    /** The output of a plan is as untrusted as its inputs. */
    async run(does: (request: PipeRequest<EntryTool>) => Promise<Fields>): Promise<Fields> {
      const result = await does(request)
      return untrusted.size === 0
        ? result
        : { ...result, _meta: { 'dev.trunkline/untrusted': [...untrusted].join(', ') } }
    },
  }
}

async function toolsOf(view: View, { catalogue, learn }: PipeCallParts): Promise<ToolTable<EntryTool>> {
  await learn(view.servers())
  return {
    names: () => visibleEntries(view, catalogue, 'tool').map((entry) => entry[view.naming]),
    whyMissing(name) {
      const isSilent = (key: ServerKey) =>
        name.startsWith(`${serverNameOf(key)}__`) && catalogue.entries(key).length === 0
      const silent = view.servers().find(isSilent)
      const server = silent && serverNameOf(silent)
      return server && `server "${server}" has shown no tools yet; "trunkline status ${server}" says why`
    },
    find(name) {
      const entry = entryNamed(view, catalogue, 'tool', name)
      if (!entry) return undefined
      const { inputSchema, outputSchema } = entry.definition
      const isUsable = entry.standing === 'usable' || entry.standing === 'changed'
      return {
        ...{ name, entry, inputSchema, outputSchema, class: entry.class, server: serverNameOf(entry.server) },
        ...(!isUsable && { unusable: entry.why ?? entry.standing }),
      }
    },
  }
}

/** One call of a plan: an act of its own, whose caller is the call that runs the plan. */
async function callStep(
  doing: Doing,
  { entry }: EntryTool,
  args: Fields,
  made: MadeCall,
  { calls, step }: PipeCallParts,
): Promise<Fields> {
  const round = roundOf(doing, made.signal)
  const call = calls.open(round)
  const { server, original, hash } = entry
  const act = {
    ...doing.act,
    ...{ id: newActId(), server: serverNameOf(server), serverKey: server, target: original, arguments: args },
    ...{ definition: hash, class: entry.class, at: Date.now() },
  }
  const params = { name: original, arguments: args, ...traceOf(doing.params) }
  call.start(step(made.beforeSent)({ act, method: 'tools/call', params, call, holdMs: made.holdMs }))
  try {
    // without rounds it ends with a result
    return (await call.attach(round)) as Fields
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new StepError(made.step, error.outcome === 'limited' ? 'limit' : 'denied', error.message)
  } finally {
    calls.left(call)
  }
}

/** Questions and logs of a step go to the caller that runs the plan; the plan itself reports progress. */
function roundOf({ call }: Doing, signal: AbortSignal): CallRound {
  return {
    method: 'tools/call',
    caller: call.caller,
    signal,
    rounds: undefined,
    ctx: {},
    ask: (method, params, options) => call.ask({ method, params }, options),
    progress() {},
    log: (message) => call.log(message),
  }
}

function traceOf({ _meta }: Fields): Fields {
  const { traceparent, tracestate, baggage } = (_meta ?? {}) as Fields
  const trace = Object.entries({ traceparent, tracestate, baggage }).filter(([, value]) => value !== undefined)
  return trace.length === 0 ? {} : { _meta: Object.fromEntries(trace) }
}

/** Removes the note that a person changed the arguments, which is for callers and no result of the tool. */
function withoutNote(result: Fields): Fields {
  const isEdited = (result._meta as Fields | undefined)?.['dev.trunkline/edited-arguments'] !== undefined
  return isEdited && Array.isArray(result.content) ? { ...result, content: result.content.slice(1) } : result
}
