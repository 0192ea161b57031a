import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { type Fields, type Server, server } from '@trunkline/mcp'
import { contract, type Requirements } from '@trunkline/mcp/contract'
import type { DescribedPrompt, ProgramDescription, ProgramTool } from './description.ts'
import { KeptOutputs } from './kept-outputs.ts'
import { offerOutputs } from './offer-outputs.ts'
import { offerResources } from './offer-resources.ts'
import { offerSignals } from './offer-signals.ts'
import { programRunner, type Runner, type WrapOptions } from './program-runner.ts'
import { resultSchema, runResult } from './run-result.ts'
import { RunningPrograms } from './running-programs.ts'
import { toolInput } from './tool-input.ts'
import { wrapLimits } from './wrap-limits.ts'

/** Makes a server of a described program. */
export function wrappedServer(description: ProgramDescription, options: WrapOptions): Server {
  const limits = { ...wrapLimits, ...options.limits }
  const outputs = new KeptOutputs(limits)
  const running = new RunningPrograms()
  const run = programRunner(description, { ...options, limits, outputs, running })
  const wrapped: Server = server({
    name: description.name ?? basename(description.program[0] ?? ''),
    version: options.version,
    // a program may ask for many things in turn
    limits: { maxInputRoundsPerCall: 50 },
    ...(description.instructions !== undefined && { instructions: description.instructions }),
    extensions: [contract({ requires: requirementsOf(description) })],
    // the state a client carries back is of use only to the process whose program waits
    keys: [randomBytes(32)],
    onWarning: (message) => process.stderr.write(`${message}\n`),
    onError: (error, what) => process.stderr.write(`${what}: ${error instanceof Error ? error.message : error}\n`),
  })
  for (const tool of description.tools ?? []) offerTool(wrapped, tool, run)
  offerSignals(wrapped, description.tools ?? [], running)
  offerOutputs(wrapped, outputs)
  offerResources(wrapped, description.resources ?? [], run)
  offerPrompts(wrapped, description.prompts ?? [])
  return wrapped
}

function offerTool(wrapped: Server, tool: ProgramTool, run: Runner): void {
  const { name, title, description, annotations } = tool
  const definition = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations }),
    input: toolInput(tool),
    output: resultSchema(tool),
  }
  wrapped.tool(name, definition, async (given, ctx) => runResult(await run(tool, given as Fields, ctx), tool))
}

/** Requirements of the program. */
function requirementsOf({ program: [command = ''], env = {} }: ProgramDescription): Requirements {
  const variables = Object.values(env).flatMap((variable) => (typeof variable === 'string' ? [] : [variable.from]))
  return {
    ...(command.includes('/') ? { files: [command] } : { programs: { [command]: '*' } }),
    ...(variables.length > 0 && { env: variables }),
  }
}

/** Offers the prompts of a description. */
export function offerPrompts(wrapped: Server, prompts: readonly DescribedPrompt[]): void {
  for (const { name, description, arguments: own = [], text } of prompts) {
    const definition = { ...(description !== undefined && { description }), arguments: own }
    wrapped.prompt(name, definition, (given) =>
      text.replace(/\{([\w.-]+)\}/g, (_, member: string) => argumentValue(given, member)),
    )
  }
}

function argumentValue(given: { readonly [name: string]: unknown }, member: string): string {
  return String(given[member] ?? `{${member}}`)
}
