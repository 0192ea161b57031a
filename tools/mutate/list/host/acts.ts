import { type Mutation, mutationsOf } from '../../mutation.ts'

/** Requests of servers to callers, lists, and names that do not exist. */
export const acts: readonly Mutation[] = mutationsOf('host', [
  {
    breaks: 'a form that a rule asks about reaches the caller',
    file: 'src/acts/elicit.ts',
    from: "if (asked.byCaller && verdict.effect === 'allow')",
    to: 'if (asked.byCaller)',
    noticedBy: ['test/approval/asked-of-callers.test.ts'],
  },
  {
    breaks: 'forms are not counted',
    file: 'src/acts/elicit.ts',
    from: '  parts.countAct(act)\n',
    to: '',
    noticedBy: ['test/approval/asked-of-callers.test.ts'],
  },
  {
    breaks: 'what a client samples itself is asked about',
    file: 'src/policy/policy.ts',
    from: "if (act.answeredBy === 'caller') return",
    to: "if (act.answeredBy === undefined && act.id === '') return",
    noticedBy: ['test/approval/asked-of-callers.test.ts'],
  },
  {
    breaks: 'what a client samples itself is not reviewed',
    file: 'src/acts/sample.ts',
    from: "(effect !== 'ask' || byCaller) && rule === undefined",
    to: "effect !== 'ask' || byCaller",
    noticedBy: ['test/approval/asked-of-callers.test.ts'],
  },
  {
    breaks: 'calls of names that do not exist are neither limited nor recorded',
    file: 'src/acts/act-stack.ts',
    from: 'unknown: (does) => stacked([noted, limited], does)',
    to: 'unknown: (does) => does',
    noticedBy: ['test/approval/unknown-names.test.ts'],
  },
  {
    breaks: 'calls of names that do not exist are not limited',
    file: 'src/acts/act-stack.ts',
    from: 'unknown: (does) => stacked([noted, limited], does)',
    to: 'unknown: (does) => stacked([noted], does)',
    noticedBy: ['test/approval/unknown-names.test.ts'],
  },
  {
    breaks: 'a rule that can never match is taken',
    file: 'src/policy/parse-rule.ts',
    from: '  refuseUnjudged(target, source)\n',
    to: '',
    noticedBy: ['src/policy/judged-kinds.test.ts'],
  },
  {
    breaks: 'a rule that can never match puts all others in doubt',
    file: 'src/policy/rules-from-config.ts',
    from: ' && !error.matchesNothing',
    to: '',
    noticedBy: ['src/policy/judged-kinds.test.ts'],
  },
  {
    breaks: 'a search finds what lists do not show',
    file: 'src/gateway/tool-search.ts',
    from: 'const isShown = ({ server }: Entry): boolean => !hidden.has(server)',
    to: 'const isShown = (_entry: Entry): boolean => hidden !== undefined',
    noticedBy: ['test/approval/lists.test.ts'],
  },
])
