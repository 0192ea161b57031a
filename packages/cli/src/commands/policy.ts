import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { parseActWords } from '../host/act-words.ts'
import { openHost } from '../host/host-link.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline policy`: what may happen, and why. */
export const policyCommand = defineCommand({
  name: 'policy',
  group: 'host',
  summary: 'Lists the rules in force, or tells what would become of a call and why',
  usage: ['', 'explain SERVER:TOOL [NAME=VALUE…]'],
  options: { client: { type: 'string', value: 'NAME', summary: 'The program that would call' } },
  examples: [
    { line: 'trunkline policy', shows: 'every rule, strictest first, with file and line' },
    { line: 'trunkline policy explain files:write_file path=/tmp/a', shows: 'verdict, rule, and what would change it' },
  ],
  async run({ options, output, words }) {
    const { call } = await openHost()
    const [verb, target, ...rest] = words
    if (verb === undefined) {
      const { mode, rules } = await call('policy')
      const columns = [{ title: 'effect' }, { title: 'rule', style: 'name' }, { title: 'from' }] as const
      const rows = rules.map(({ effect, text, layer, file, line }) => [effect, text, `${layer} ${file}:${line}`])
      output.result({ mode, rules }, () => [
        ...(mode === 'observe' ? ['The mode is "observe": nobody is asked'] : []),
        ...(rules.length === 0
          ? ['No rule is written: what reads is allowed, everything else asks']
          : tableLines(columns, rows, output.width)),
      ])
      return undefined
    }
    if (verb !== 'explain' || target === undefined) {
      throw usageFailure(`Cannot do "policy ${words.join(' ')}"`, 'Write: trunkline policy explain SERVER:TOOL')
    }
    const { server, tool, args } = parseActWords(target, rest)
    const { client } = options
    const said = await call('explainPolicy', { server, tool, arguments: args, ...(client && { client }) })
    output.result(said, (): readonly Line[] => [
      [styled('strong', said.effect), ': ', said.why],
      ...(said.rule ? [styled('faint', `${said.rule.layer} ${said.rule.file}:${said.rule.line}`)] : []),
      ...said.considered.flatMap(({ effect, text, unmet }) =>
        unmet === undefined ? [] : [styled('faint', `not ${effect} "${text}": ${unmet}`)],
      ),
      said.change,
    ])
    return undefined
  },
})
