import type { CallToolResult, Fields, Tool } from '@trunkline/mcp/client'
import type { ToolTerms } from '@trunkline/mcp/contract'
import { readArgumentWords } from '../arguments/argument-words.ts'
import { badArguments, findArgumentProblems } from '../arguments/check-arguments.ts'
import { collectArguments } from '../arguments/collect-arguments.ts'
import { findTool } from '../arguments/find-tool.ts'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'

/** `trunkline probe`: whether a tool keeps what it says of its results. */
export const probeCommand = defineCommand({
  name: 'probe',
  group: 'authors',
  needs: 'nothing',
  summary: 'Calls a tool twice, and checks that its results vary only as declared',
  usage: ['SERVER TOOL [NAME=VALUE…]', 'TOOL [NAME=VALUE…] -- PROGRAM [ARGUMENT…]'],
  details: [
    'A tool with an empty "varies" list declares that its results depend only on its arguments, so both results must be equal. A tool that does not declare repeated calls harmless is called only with --anyway.',
  ],
  options: {
    anyway: { type: 'boolean', summary: 'Call twice even if the tool does not declare that harmless' },
    ...serverOptions,
  },
  json: '`{ isSame, says, isFalse }`',
  examples: [
    { line: 'trunkline probe add a=1 b=2 -- node server.js', shows: 'the same sum twice' },
    { line: 'trunkline probe https://example.com/mcp now --anyway', shows: 'a tool that declares nothing' },
  ],
  async run(invocation) {
    const { options, output, signal, terminal } = invocation
    await using server = await openServer(invocation)
    const [name, ...rest] = server.words
    if (name === undefined) throw usageFailure('Cannot probe a tool: none is named', 'trunkline tools lists them')
    const tool = await findTool(server.client, name, signal)
    const input = collectArguments(await readArgumentWords(rest, terminal.input), tool.inputSchema)
    const { problems } = findArgumentProblems(tool, input)
    if (problems.length > 0) throw badArguments(tool, problems)
    const says = termsOf(tool)
    if (!options.anyway && !isHarmless(tool, says))
      throw usageFailure(
        `Cannot probe "${name}": it does not say that a repeat is harmless`,
        'Use --anyway if you know',
      )
    const call = () => server.client.tools.call(name, input, { signal, fresh: true })
    const [first, second] = [await call(), await call()]
    const isSame = textOf(first) === textOf(second)
    const claim = says.varies
    const isFalse = claim?.length === 0 && !isSame
    output.result({ isSame, says: claim ?? null, isFalse }, () => [
      `Two calls of "${name}" gave ${isSame ? 'the same result' : 'different results'}; it says ${wordsOf(claim)}`,
    ])
    if (!isFalse) return undefined
    throw new Failure(`Tool "${name}" says that its results do not vary, and they do`, {
      code: 'FalseClaim',
      exit: exitCodes.toolError,
    })
  },
})

function termsOf({ _meta }: Tool): ToolTerms {
  return ((_meta as Fields | undefined)?.['dev.trunkline/contract'] ?? {}) as ToolTerms
}

function isHarmless({ annotations }: Tool, { idempotent }: ToolTerms): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true || idempotent === true
}

function wordsOf(varies: ToolTerms['varies']): string {
  if (varies === undefined) return 'nothing of that'
  return varies.length === 0 ? 'that they do not vary' : `that they vary with ${varies.join(', ')}`
}

function textOf({ content, structuredContent, isError }: CallToolResult): string {
  return JSON.stringify([content, structuredContent, isError === true])
}
