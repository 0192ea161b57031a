import type { z } from 'zod'
import type { Question } from '../inbox/question.ts'
import type { question as questionSchema } from './schemas.ts'

/** A question as doors show it. */
export function shownQuestion(question: Question): z.output<typeof questionSchema> {
  const { key: _key, principalId: _id, project, by, ...shown } = question
  return { ...shown, ...(project !== undefined && { project }), ...(by && { by }) }
}
