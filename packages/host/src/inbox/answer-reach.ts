import type { Answer, Door, Question } from './question.ts'

/** The parts of an answer that decide how much it allows. */
export type AnswerReach = Pick<Answer, 'choice' | 'covers'>

/** Refuses answers that are too broad, with the reason: only a person at this machine widens one, and never for calls that destroy. */
export function whyTooBroad(
  { kind, detail, project }: Question,
  { choice, covers }: AnswerReach,
  { isLocal }: Pick<Door, 'isLocal'>,
): string | undefined {
  if (choice !== 'project' && covers === undefined) return undefined
  if (!isLocal) return 'an answer covers more only when it is given at this machine'
  if (kind !== 'call') return 'it is not about a call'
  if (detail.class === 'destroys') return 'what destroys asks every time'
  if (choice === 'once' || choice === 'refuse') return `"${choice}" is for this call alone`
  if (choice === 'project' && project === undefined) return 'the client works in no project'
  if (covers?.tools === undefined) return undefined
  if (detail.class !== 'writes') return 'its tool is not one of those that write'
  if (choice === 'always') return 'a rule would cover tools that come later; answer "session" or "project"'
  return undefined
}
