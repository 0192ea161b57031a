import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { catalogueQuery } from '../../host/queries.ts'
import { listedEntries } from '../../offers/listed-offer.ts'
import { OfferList } from '../../offers/offer-list.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListBeside } from '../../parts/list-beside.tsx'
import { LinkButton } from '../../shell/link-button.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { PromptDetail } from './prompt-detail.tsx'

/** Prompts screen: every prompt of every server, to fill in and to read. */
export function PromptsScreen() {
  const { server, name } = useParams({ strict: false })
  const { data, isPending } = useQuery(catalogueQuery)
  const prompts = useMemo(() => data?.items.filter(({ kind }) => kind === 'prompt') ?? [], [data])
  const offers = useMemo(() => listedEntries(prompts), [prompts])
  const prompt = prompts.find((one) => one.server === server && one.original === name)
  return (
    <Screen title="Prompts" about={isPending ? 'Looking' : plural(prompts.length, 'prompt')}>
      {!isPending && prompts.length === 0 ? (
        <Empty title="No server offers a prompt" action={<LinkButton to="/servers">See your servers</LinkButton>}>
          Prompts are texts that a server prepares for a conversation. Not every server has some; your servers say what
          they offer when they run.
        </Empty>
      ) : (
        <ListBeside
          list={<OfferList offers={offers} base="prompts" noun="prompt" chosen={[server, name]} />}
          isOpen={name !== undefined}
          back={{ to: '/prompts', title: 'All prompts' }}
        >
          {prompt ? (
            <PromptDetail key={prompt.name} prompt={prompt} />
          ) : (
            <Empty title="Choose a prompt to fill it in" />
          )}
        </ListBeside>
      )}
    </Screen>
  )
}
