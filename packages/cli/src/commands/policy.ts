import { readFile } from 'node:fs/promises'
import { defineCommand, type Invocation } from '../command/command.ts'
import { onlyOptions } from '../command/only-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { parseActWords } from '../host/act-words.ts'
import { decidedHere } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { readPolicyCases } from '../host/policy-cases.ts'
import {
  dryRunLines,
  explanationLines,
  problemLines,
  ruleLines,
  suggestionLines,
  testLines,
} from '../host/policy-lists.ts'
import { counted } from '../output/counted.ts'

const rule = { type: 'string', value: 'RULE', multiple: true } as const
const policyOptions = {
  client: { type: 'string', value: 'NAME', summary: 'explain: the client that would call' },
  deny: { ...rule, summary: 'dry-run: an additional deny rule' },
  ask: { ...rule, summary: 'dry-run: an additional ask rule' },
  allow: { ...rule, summary: 'dry-run: an additional allow rule' },
  days: { type: 'string', value: 'NUMBER', summary: 'dry-run: how many days of calls to use; 30 by default' },
  write: { type: 'boolean', summary: 'suggest: ask about each rule, and write those that you accept' },
} as const

type PolicyInvocation = Invocation<typeof policyOptions>

const takes: { readonly [verb: string]: readonly string[] } = {
  explain: ['client'],
  'dry-run': ['deny', 'ask', 'allow', 'days'],
  suggest: ['write'],
}

const verbs: { readonly [verb: string]: (invocation: PolicyInvocation) => Promise<void> } = {
  explain,
  check,
  'dry-run': tryPolicy,
  suggest,
  test,
  replace,
  remove: replace,
  undo,
}

/** `trunkline policy`: what may happen, and why. */
export const policyCommand = defineCommand({
  name: 'policy',
  group: 'host',
  needs: { '': 'nothing', replace: 'person', remove: 'person', undo: 'person', '?': 'terminal' },
  summary: 'Lists the rules in force; explains, checks, tests, suggests, replaces and undoes rules',
  usage: [
    '',
    'explain SERVER:TOOL [NAME=VALUE…]',
    'check [FILE]',
    'test FILE',
    'dry-run [FILE]',
    'suggest',
    'replace RULE RULE',
    'remove RULE',
    'undo',
  ],
  details: [
    '"check" reads all layers, or one file, and exits with 2 when something is wrong; it needs no running host. "dry-run" shows how recorded calls would have been decided with FILE as your policy, or with additional rules; it changes nothing. "suggest" proposes rules for calls that you always allowed. "undo" removes the rule that "always" or "suggest" wrote last; a rule that asks or denies is removed only by a person in a terminal.',
    '"test" judges the acts of a file by the policy in force for the current folder, and exits with 2 when a verdict is not the expected one; nothing is called. The file is JSON, and may have comments: { "tests": [{ "act": "files:write_file", "arguments": { "path": "/tmp/a" }, "expect": "allow" }] }. A test may also have a "name", a "client" and the "class" of the tool. "replace" puts another rule in the place of one, "remove" removes one; both ask you in a terminal. docs/policy.md describes rules.',
  ],
  options: policyOptions,
  json: 'the rules in force; explain prints the verdict, check `{ rules, problems }`, dry-run the calls with another outcome, test `{ tests, passed, failed }`, suggest `{ suggestions, days }`, replace and remove `{ file, effect, rule, instead }`, undo the removed rule',
  examples: [
    { line: 'trunkline policy', shows: 'every rule, strictest first, with file and line' },
    { line: 'trunkline policy explain files:write_file path=/tmp/a', shows: 'verdict, rule, and what would change it' },
    { line: 'trunkline policy check trunkline.json', shows: 'every mistake with its line, for CI' },
    { line: 'trunkline policy test policy-tests.json', shows: 'whether the policy still says what it should, for CI' },
    {
      line: 'trunkline policy dry-run --deny "files:write_file"',
      shows: 'which recorded calls a rule would have denied',
    },
    { line: 'trunkline policy undo', shows: 'removes the last "always"' },
  ],
  async run(invocation) {
    const { output, words } = invocation
    const [verb, ...rest] = words
    onlyOptions(invocation.options, { verb: `policy ${verb ?? ''}`.trim(), takes: takes[verb ?? ''] ?? [] })
    if (verb === undefined) {
      const policy = await (await openHost()).call('policy')
      output.result(policy, () => ruleLines(policy, output.width))
      return undefined
    }
    if (verb === 'remove' && rest.length > 1) throw usageFailure('Cannot remove two rules at once: name one')
    if (verb === 'replace' && rest.length < 2) throw usageFailure('Cannot replace a rule by nothing: name both')
    await verbs[verb]?.({ ...invocation, words: rest })
    return undefined
  },
})

async function explain({ options: { client }, output, words }: PolicyInvocation): Promise<void> {
  const [target, ...rest] = words
  if (target === undefined) throw usageFailure('Cannot explain nothing', 'Write: trunkline policy explain SERVER:TOOL')
  const { server, tool, args } = parseActWords(target, rest)
  const { call } = await openHost()
  const said = await call('explainPolicy', { server, tool, arguments: args, ...(client && { client }) })
  output.result(said, () => explanationLines(said))
}

async function check({ output, words: [file] }: PolicyInvocation): Promise<void> {
  const { checkPolicy, thisMachine } = await import('@trunkline/host')
  const machine = thisMachine()
  const { rules, problems } = await checkPolicy({
    machine,
    project: process.cwd(),
    ...(file !== undefined && { file }),
  })
  output.result({ rules, problems }, () => [
    ...problemLines(problems),
    ...(problems.length === 0 ? [`${counted(rules, 'rule')}, and nothing is wrong`] : []),
  ])
  if (problems.length === 0) return
  throw new Failure(`The policy has ${counted(problems.length, 'mistake')}`, {
    code: 'Policy',
    exit: exitCodes.toolError,
  })
}

async function tryPolicy({ options, output, words: [file] }: PolicyInvocation): Promise<void> {
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
    (options[effect] ?? []).map((text) => ({ effect, rule: text })),
  )
  if (file === undefined && rules.length === 0) {
    throw usageFailure('Cannot try a policy: name a file, or a rule with --deny, --ask or --allow')
  }
  const days = Number(options.days ?? 30)
  if (!(days > 0 && days <= 366)) throw usageFailure(`Cannot use "--days=${options.days}": it takes 1 to 366`)
  const { call } = await openHost()
  const told = await call('dryRunPolicy', {
    rules,
    since: Date.now() - Math.round(days * 24 * 3_600_000),
    ...(file !== undefined && { text: await readFile(file, 'utf8') }),
  })
  const problems = told.problems.map((one) => (file === undefined ? one : { ...one, file }))
  output.result({ ...told, problems }, () => dryRunLines({ ...told, problems }, output.width))
}

async function suggest({ options, output, terminal, signal }: PolicyInvocation): Promise<void> {
  const { call } = await openHost()
  const { items, days } = await call('suggestRules')
  if (!options.write || output.json || items.length === 0) {
    output.result({ suggestions: items, days }, () => suggestionLines({ items, days }, output.width))
    return
  }
  const written: { readonly rule: string; readonly file: string }[] = []
  for (const { rule: text, answers } of items) {
    const question = `Allow "${text}" always? You allowed it ${answers} times and never refused it.`
    if (!(await decidedHere(terminal, question, signal))) continue
    const { file } = await call('addRule', { effect: 'allow', rule: text })
    written.push({ rule: text, file })
  }
  output.result({ written }, () => [
    ...written.map(({ rule: text, file }) => `Written to ${file}: allow "${text}"`),
    written.length === 0 ? 'No rule was written' : 'Take the last one back: trunkline policy undo',
  ])
}

async function test({ output, words: [file] }: PolicyInvocation): Promise<void> {
  if (file === undefined) throw usageFailure('Cannot test the policy: name a file of tests')
  const cases = await readPolicyCases(file)
  const { call } = await openHost()
  const { verdicts } = await call('testPolicy', {
    project: process.cwd(),
    cases: cases.map(({ name: _name, expect: _expect, ...one }) => one),
  })
  const tests = cases.map(({ server, target, name = `${server}:${target}`, expect }, at) => {
    const { effect = 'deny', why = '', rule: decided } = verdicts[at] ?? {}
    return { name, expect, effect, passes: effect === expect, why, ...(decided && { rule: decided }) }
  })
  const failed = tests.filter(({ passes }) => !passes).length
  output.result({ tests, passed: tests.length - failed, failed }, () => testLines(tests))
  if (failed === 0) return
  const failure = `${failed} of ${tests.length} acts are judged differently than expected`
  throw new Failure(failure, { code: 'Policy', exit: exitCodes.toolError })
}

async function replace({ output, terminal, signal, words: [text, instead] }: PolicyInvocation): Promise<void> {
  if (text === undefined) throw usageFailure('Cannot change nothing: name a rule as "trunkline policy" shows it')
  const { call } = await openHost()
  const { rules } = await call('policy')
  const found = rules.find((one) => one.text === text)
  if (!found) throw usageFailure(`There is no rule "${text}"`, 'See them all: trunkline policy')
  const { effect, file } = found
  const question =
    instead === undefined
      ? `Remove ${effect} "${text}" from ${file}?`
      : `Write ${effect} "${instead}" instead of "${text}" in ${file}?`
  if (!(await decidedHere(terminal, question, signal))) {
    throw new Failure('Nothing was changed', { code: 'Refused', exit: exitCodes.denied })
  }
  const changed = await call('replaceRule', { effect, rule: text, file, ...(instead !== undefined && { instead }) })
  const done = instead === undefined ? 'Removed from' : 'Changed in'
  output.result(changed, () => [`${done} ${file}: ${effect} "${instead ?? text}"`])
}

async function undo({ output, terminal, signal }: PolicyInvocation): Promise<void> {
  const { call } = await openHost()
  const { effect, rule, file } = await call('lastRule')
  const shown = `${effect} ${typeof rule === 'string' ? `"${rule}"` : JSON.stringify(rule)}`
  // without it more would be allowed, and that is for a person to decide
  if (effect !== 'allow' && !(await decidedHere(terminal, `Take ${shown} out of ${file}?`, signal))) {
    throw new Failure('Nothing was changed', { code: 'Refused', exit: exitCodes.denied })
  }
  const undone = await call('undoRule')
  output.result(undone, () => [`Taken out of ${undone.file}: ${shown}`])
}
