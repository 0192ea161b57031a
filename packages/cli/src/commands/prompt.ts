import type { Fields, GetPromptResult, Prompt } from '@trunkline/mcp/client'
import { readArgumentWords } from '../arguments/argument-words.ts'
import { badArguments, findArgumentProblems } from '../arguments/check-arguments.ts'
import { collectArguments } from '../arguments/collect-arguments.ts'
import { noSuch } from '../arguments/find-tool.ts'
import { askMissing } from '../asking/missing-arguments.ts'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { usageFailure } from '../failure/failure.ts'
import { blockLines } from '../output/content.ts'
import { type Line, styled } from '../output/span.ts'
import { TerminalQuestions } from '../terminal/questions.ts'

/** `trunkline prompt`: the messages of a prompt. */
export const promptCommand = defineCommand({
  name: 'prompt',
  group: 'servers',
  needs: 'nothing',
  summary: 'Shows the messages of a prompt',
  usage: ['SERVER PROMPT [NAME=VALUE…]', 'PROMPT [NAME=VALUE…] -- PROGRAM [ARGUMENT…]'],
  options: serverOptions,
  json: 'the result of prompts/get: `{ messages, description }`',
  examples: [{ line: 'trunkline prompt poem topic=shoes -- node server.js', shows: 'a prompt with an argument' }],
  async run(invocation) {
    const { output, signal, terminal } = invocation
    await using server = await openServer(invocation)
    const [name, ...rest] = server.words
    if (name === undefined) throw usageFailure('Cannot get a prompt: none is named', 'trunkline prompts lists them')
    const words = await readArgumentWords(rest, terminal.input)
    const called = schemaOf(await findPrompt(server.client.prompts.list({ signal }), name))
    const typed = collectArguments(words, called.inputSchema)
    const questions = terminal.isInteractive ? new TerminalQuestions(terminal, output, signal) : undefined
    const input = questions ? await askMissing(questions, called.inputSchema, typed) : typed
    const { problems } = findArgumentProblems(called, input)
    if (problems.length > 0) throw badArguments(called, problems)
    const result = await server.client.prompts.get(name, input as Record<string, string>, { signal })
    output.result(result, () => messageLines(result))
    return undefined
  },
})

async function findPrompt(prompts: AsyncIterable<Prompt>, name: string): Promise<Prompt> {
  const names: string[] = []
  for await (const prompt of prompts) {
    if (prompt.name === name) return prompt
    names.push(prompt.name)
  }
  throw await noSuch('prompt', name, names)
}

/** The arguments of a prompt are texts, whatever they are called. */
function schemaOf({ name, arguments: parts = [] }: Prompt): { readonly name: string; readonly inputSchema: Fields } {
  const properties = Object.fromEntries(
    parts.map((part) => [part.name, { type: 'string', ...(part.description && { description: part.description }) }]),
  )
  const required = parts.filter((part) => part.required).map((part) => part.name)
  return { name, inputSchema: { type: 'object', properties, required, additionalProperties: false } }
}

function messageLines({ messages }: GetPromptResult): readonly Line[] {
  return messages.flatMap(({ role, content }) => [styled('strong', `${role}:`), ...blockLines(content)])
}
