import type { PolicyCheck } from '@trunkline/host'
import type { RouteAnswer } from '@trunkline/host/api'
import { shellWord } from '../diagnosis/finding.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'
import { ago } from './show.ts'

type Problem = PolicyCheck['problems'][number]

/** Every rule, strictest first. */
export function ruleLines({ mode, rules }: RouteAnswer<'policy'>, width: number): readonly Line[] {
  const columns = [{ title: 'effect' }, { title: 'rule', style: 'name' }, { title: 'from', wraps: true }] as const
  const rows = rules.map(({ effect, text, layer, file, line }) => [effect, text, `${layer} ${file}:${line}`])
  return [
    ...(mode === 'observe' ? ['The mode is "observe": nobody is asked'] : []),
    ...(rules.length === 0
      ? ['No rule is written: what reads is allowed, everything else asks']
      : tableLines(columns, rows, width)),
  ]
}

/** Effect of the policy on a call, with the reason. */
export function explanationLines(said: RouteAnswer<'explainPolicy'>): readonly Line[] {
  return [
    [styled('strong', said.effect), ': ', said.why],
    ...(said.rule ? [styled('faint', `${said.rule.layer} ${said.rule.file}:${said.rule.line}`)] : []),
    ...said.considered.flatMap(({ effect, text, unmet }) =>
      unmet === undefined ? [] : [styled('faint', `not ${effect} "${text}": ${unmet}`)],
    ),
    said.change,
  ]
}

/** Problems of policy files, one line each, in the form that editors and terminals link. */
export function problemLines(problems: readonly Problem[]): readonly Line[] {
  return problems.map(({ file, line, key, problem, fix }) =>
    styled('warning', `${file}:${line}: ${key === '' ? '' : `${key} `}${problem}; ${fix}`),
  )
}

/** Calls that would have been decided differently. */
export function dryRunLines(told: RouteAnswer<'dryRunPolicy'>, width: number): readonly Line[] {
  const { calls, untold, changes, problems, unmatched } = told
  const columns = [
    { title: 'tool', style: 'name' },
    { title: 'client' },
    { title: 'calls' },
    { title: 'now' },
    { title: 'then', style: 'strong' },
    { title: 'last' },
    { title: 'why' },
  ] as const
  const rows = changes.map(({ server, target, principal, count, from, to, example, why }) => [
    `${server}:${target}`,
    principal,
    String(count),
    from,
    to,
    `${ago(example.at)} ago`,
    why,
  ])
  const different = changes.reduce((sum, { count }) => sum + count, 0)
  return [
    ...problemLines(problems),
    ...unmatched.map(({ rule, why }) => styled('warning', `The rule "${rule}" matches nothing: ${why}`)),
    ...(changes.length === 0 ? [] : tableLines(columns, rows, width)),
    `${different} of ${calls} recorded calls would have been judged differently`,
    ...(untold === 0
      ? []
      : [styled('faint', `${untold} more cannot be judged: a rule asks for arguments that were not kept`)]),
  ]
}

/** Rules that would have spared questions. */
export function suggestionLines({ items, days }: RouteAnswer<'suggestRules'>, width: number): readonly Line[] {
  const seen = styled(
    'faint',
    `From your answers of the last ${days} days; "ledger.keepDays" says how long they are kept`,
  )
  if (items.length === 0)
    return ['There is nothing to suggest: no tool was allowed three times and never refused', seen]
  const columns = [{ title: 'rule', style: 'name' }, { title: 'answers' }, { title: 'clients', wraps: true }] as const
  const rows = items.map(({ rule, answers, principals }) => [rule, String(answers), principals.join(', ')])
  return [
    ...tableLines(columns, rows, width),
    'You allowed each of these every time. Write them, one question each: trunkline policy suggest --write',
    seen,
  ]
}

/** An act of a file of tests, with the verdict and the expected one. */
export interface PolicyTestLine {
  readonly name: string
  readonly expect: string
  readonly effect: string
  readonly passes: boolean
  readonly why: string
}

/** Result of policy tests, with the reasons of failures. */
export function testLines(tests: readonly PolicyTestLine[]): readonly Line[] {
  const failed = tests.filter(({ passes }) => !passes)
  return [
    ...tests.map(
      ({ name, expect, effect, passes, why }): Line =>
        passes
          ? [styled('good', 'passes'), ' ', styled('name', name), ` ${effect}`]
          : [styled('bad', 'fails'), ' ', styled('name', name), ` expected ${expect}, is ${effect}: ${why}`],
    ),
    `${tests.length - failed.length} of ${tests.length} acts are judged as expected`,
  ]
}

/** Rules that do not say today what they were written for, each with the command that mends it. */
export function outdatedRules({ rules }: RouteAnswer<'policy'>): readonly OutdatedRuleLine[] {
  return rules.flatMap(({ text, file, line, outdated }) => {
    if (!outdated) return []
    const { why, instead } = outdated
    const words = instead === undefined ? ['remove', text] : ['replace', text, instead]
    return [{ rule: text, file, line, why, command: `trunkline policy ${words.map(shellWord).join(' ')}` }]
  })
}

/** Rules that match nothing at the moment, a line each. */
export function unmatchedLines({ rules }: RouteAnswer<'policy'>): readonly Line[] {
  return rules.flatMap(({ effect, text, file, line, unmatched }): Line[] =>
    unmatched === undefined
      ? []
      : [
          [
            styled('name', `${effect} "${text}"`),
            ' ',
            styled('warning', 'matches nothing'),
            `: ${unmatched} (${file}:${line})`,
          ],
        ],
  )
}

export interface OutdatedRuleLine {
  readonly rule: string
  readonly file: string
  readonly line: number
  readonly why: string
  readonly command: string
}
