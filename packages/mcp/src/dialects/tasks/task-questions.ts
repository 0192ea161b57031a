import { describeShapeProblem } from '../../wire/shape.ts'
import { assertAskable } from '../check-input-request.ts'
import { encodeInputRequest } from '../encode-input-request.ts'
import type { Facts } from '../revision-facts.ts'
import type { TaskRules } from './task-rules.ts'

/** Rules by which a task sends input requests in a revision: those of any handler. */
export function taskQuestions(facts: Facts): Pick<TaskRules, 'assertAskable' | 'encodeQuestion' | 'problemOf'> {
  return {
    assertAskable: ({ method, params, caller, asked }, limits) =>
      assertAskable(method, params, { caller, facts, asked, limits }),
    encodeQuestion: (method, params, caller) => encodeInputRequest(method, params, { facts, caller }),
    problemOf(method, answer) {
      const problem = facts.vocabulary.inputs.get(method)?.result.check(answer)
      return problem && describeShapeProblem(problem)
    },
  }
}
