import type { z } from 'zod'
import type { Inbox } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import type { question as questionSchema } from './schemas.ts'

/** A question as doors show it; without an inbox, one that is settled. */
export function shownQuestion(
  question: Question,
  inbox?: Pick<Inbox, 'isAbandoned' | 'approvalMs'>,
): z.output<typeof questionSchema> {
  const { key: _key, principalId: _id, project, by, ...shown } = question
  return {
    ...shown,
    ...(project !== undefined && { project }),
    ...(by && { by }),
    ...(inbox?.isAbandoned(question.id) && { abandoned: { approvalMs: inbox.approvalMs } }),
  }
}
