import { describeShapeProblem } from '../../wire/shape.ts'
import { assertAskable } from '../askable.ts'
import type { Facts } from '../facts.ts'
import { spellAsk } from '../spell-ask.ts'
import type { TaskRules } from './task-rules.ts'

/** How a task asks in a revision: as any handler does. */
export function taskQuestions(facts: Facts): Pick<TaskRules, 'assertAskable' | 'spellQuestion' | 'problemOf'> {
  return {
    assertAskable: ({ method, params, caller, asked }, limits) =>
      assertAskable(method, params, { caller, facts, asked, limits }),
    spellQuestion: (method, params, caller) => spellAsk(method, params, { facts, caller }),
    problemOf(method, answer) {
      const problem = facts.vocabulary.inputs.get(method)?.result.check(answer)
      return problem && describeShapeProblem(problem)
    },
  }
}
