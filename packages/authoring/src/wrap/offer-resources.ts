import type { Fields, ReadContext, ReadOutput, Server } from '@trunkline/mcp'
import { decodeOutput } from './decode-output.ts'
import type { ProgramResource, ProgramTool } from './description.ts'
import type { Runner } from './program-runner.ts'

/** Offers what a program prints as resources; an address with `{variables}` is a template. */
export function offerResources(wrapped: Server, resources: readonly ProgramResource[], run: Runner): void {
  for (const { uri, command, ...definition } of resources) {
    const shown = { ...definition, name: definition.name ?? uri }
    const read = (variables: Fields, ctx: ReadContext): Promise<ReadOutput> =>
      readByProgram({ command, variables, run }, ctx)
    if (/[{}]/.test(uri)) wrapped.template(uri, shown, (variables, ctx) => read(variables, ctx))
    else wrapped.resource(uri, shown, (_, ctx) => read({}, ctx))
  }
}

interface ReadByProgram {
  readonly command: readonly string[]
  readonly variables: Fields
  readonly run: Runner
}

async function readByProgram({ command, variables, run }: ReadByProgram, ctx: ReadContext): Promise<ReadOutput> {
  const tool: ProgramTool = { name: ctx.uri, command: command.map((word) => filledIn(word, variables)) }
  const { exitCode, stdout, stderr } = await run(tool, {}, ctx)
  if (exitCode !== 0) {
    const said = decodeOutput(stderr.head, true)
    const why = said.kind === 'text' && said.text.trim() !== '' ? said.text.trim() : `it ended with ${exitCode}`
    throw new Error(`Cannot read "${ctx.uri}": ${why}`)
  }
  if (stdout.kept) throw new Error(`Cannot read "${ctx.uri}": it has ${stdout.total} bytes, too many for one answer`)
  const decoded = decodeOutput(stdout.head)
  return decoded.kind === 'text' ? decoded.text : stdout.head
}

/** A word of the command with the values of variables in it; a value cannot make an option of the word. */
function filledIn(word: string, variables: Fields): string {
  const filled = word.replace(/\{(\w+)\}/g, (whole, name: string) => String(variables[name] ?? whole))
  if (filled.startsWith('-') && !/^-[^{]/.test(word))
    throw new Error(`Cannot read with ${JSON.stringify(filled)}: the program would take it for an option`)
  return filled
}
