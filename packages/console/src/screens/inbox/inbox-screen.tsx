import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { activity } from '../../host/activity.ts'
import { inboxQuery, routeQuery } from '../../host/queries.ts'
import { settledQuestions } from '../../host/settled.ts'
import { useStore } from '../../host/store.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { ListBeside } from '../../parts/list-beside.tsx'
import { QuestionDetail } from '../../questions/question-detail.tsx'
import { LinkButton } from '../../shell/link-button.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { QuestionList } from './question-list.tsx'
import { SettledDetail, type SettledDetailProps } from './settled-detail.tsx'
import { SettledList } from './settled-list.tsx'
import { pastWords, type RememberedQuestion, settledWords } from './settled-words.ts'

/** Inbox screen: open questions, and the decisions made. */
export function InboxScreen() {
  const { id } = useParams({ strict: false })
  const { data, error, isPending } = useQuery(inboxQuery)
  const settled = useStore(settledQuestions)
  const past = useQuery({ ...routeQuery('settledQuestions', {}), staleTime: 0 }).data?.items ?? noPast
  const questions = data?.items ?? []
  const wanted = id === undefined ? questions[0] : questions.find((one) => one.id === id)
  const isGone = !wanted && !isPending && id !== undefined
  return (
    <Screen title="Inbox" about={isPending ? 'Looking' : plural(questions.length, 'question waits', 'questions wait')}>
      <Failure error={error} />
      <ListBeside
        list={
          <>
            <QuestionList questions={questions} chosen={wanted?.id} />
            <SettledList settled={settled} past={past} chosen={id} />
          </>
        }
        isOpen={id !== undefined}
        back={{ to: '/inbox', title: 'All questions' }}
      >
        {wanted && <QuestionDetail key={wanted.id} question={wanted} />}
        {isGone && <Gone key={id} id={id} />}
        {!wanted && id === undefined && !isPending && (
          <Empty title="Nothing waits for you" action={<LinkButton to="/policy">See the policy</LinkButton>}>
            Questions appear here the moment a client wants something that you did not allow yet. What is asked about
            and what is not is written in the policy.
          </Empty>
        )}
      </ListBeside>
    </Screen>
  )
}

const noPast: readonly RememberedQuestion[] = []

/** A question that is not open: what became of it, if that is known. */
function Gone({ id }: { readonly id: string }) {
  const known = useSettled(id)
  if (known === 'looking') return null
  if (known) return <SettledDetail {...known} />
  return (
    <Empty
      title="This question does not wait any more"
      action={<LinkButton to="/activity">See what happened</LinkButton>}
    >
      It was answered elsewhere, or nobody needs it now.
    </Empty>
  )
}

function useSettled(id: string): SettledDetailProps | 'looking' | undefined {
  const { lines } = useStore(activity)
  const settled = useStore(settledQuestions).find(({ question }) => question.id === id)
  const { data, isPending } = useQuery(routeQuery('settledQuestions', { id }))
  const [past] = data?.items ?? []
  if (settled) return { ...settled, words: settledWords(settled, lines), why: past?.why, content: past?.content }
  if (past) return { ...past, words: pastWords(past) }
  return isPending ? 'looking' : undefined
}
