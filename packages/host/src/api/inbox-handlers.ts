import { InboxError } from '../inbox/inbox.ts'
import type { Question } from '../inbox/question.ts'
import { ApiError } from './api-error.ts'
import { done, type Handlers } from './handlers.ts'
import type { ApiParts } from './parts.ts'
import { questionContext } from './question-context.ts'
import type { RouteAnswer } from './routes.ts'

const statuses = { Full: 429, Unknown: 404, Settled: 409, NotAllowed: 403 } as const

/** Questions and their answers. */
export function inboxHandlers(parts: ApiParts): Pick<Handlers, 'inbox' | 'answer' | 'questionContext'> {
  const { inbox } = parts
  return {
    inbox: () => ({ items: inbox.open.map(shownQuestion) }),
    questionContext: ({ id }) => {
      const question = inbox.open.find((one) => one.id === id)
      if (!question) throw new ApiError(404, `Question ${id} does not wait for an answer any more`)
      return questionContext(question, parts)
    },
    async answer({ id, choice, content, sentence, door }, { isPage, isProven = false }) {
      const kind = inbox.open.find((one) => one.id === id)?.kind
      if (isPage && kind === 'start' && choice !== 'refuse') {
        throw new ApiError(403, 'A page accepts a server with a code from the terminal')
      }
      const given = {
        choice,
        by: isPage ? 'console' : door,
        ...(content && { content }),
        ...(sentence !== undefined && { sentence }),
      }
      try {
        await inbox.answer(id, given, { isLocal: true, isProven })
      } catch (error) {
        if (!(error instanceof InboxError)) throw error
        throw new ApiError(statuses[error.code], error.message)
      }
      return done
    },
  }
}

/** A question as doors show it. */
export function shownQuestion(question: Question): RouteAnswer<'inbox'>['items'][number] {
  const { key: _key, principalId: _id, project, by, ...shown } = question
  return { ...shown, ...(project !== undefined && { project }), ...(by && { by }) }
}
