import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { inboxQuery } from '../../host/queries.ts'
import { settledQuestions } from '../../host/settled.ts'
import { useStore } from '../../host/store.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { ListBeside } from '../../parts/list-beside.tsx'
import { QuestionDetail } from '../../questions/question-detail.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { QuestionList } from './question-list.tsx'
import { SettledDetail } from './settled-detail.tsx'
import { SettledList } from './settled-list.tsx'

/** Inbox screen: open questions, and the decisions made. */
export function InboxScreen() {
  const { id } = useParams({ strict: false })
  const { data, error, isPending } = useQuery(inboxQuery)
  const settled = useStore(settledQuestions)
  const questions = data?.items ?? []
  const wanted = id === undefined ? questions[0] : questions.find((one) => one.id === id)
  const gone = id === undefined ? undefined : settled.find(({ question }) => question.id === id)
  return (
    <Screen title="Inbox" about={isPending ? 'Looking' : plural(questions.length, 'question waits', 'questions wait')}>
      <Failure error={error} />
      <ListBeside
        list={
          <>
            <QuestionList questions={questions} chosen={wanted?.id} />
            <SettledList settled={settled} chosen={id} />
          </>
        }
        isOpen={id !== undefined}
        back={{ to: '/inbox', title: 'All questions' }}
      >
        {wanted && <QuestionDetail key={wanted.id} question={wanted} />}
        {!wanted && gone && <SettledDetail settled={gone} />}
        {!wanted && !gone && !isPending && id !== undefined && (
          <Empty title="This question does not wait any more">It was answered elsewhere, or nobody needs it now.</Empty>
        )}
        {!wanted && id === undefined && !isPending && (
          <Empty title="Nothing waits for you">
            Questions appear here the moment a client wants something that you did not allow yet. What is asked about
            and what is not is written in the <Link to="/policy">policy</Link>.
          </Empty>
        )}
      </ListBeside>
    </Screen>
  )
}
