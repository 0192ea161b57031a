import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { catalogueQuery } from '../../host/queries.ts'
import { listedEntries } from '../../offers/listed-offer.ts'
import { OfferList } from '../../offers/offer-list.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListBeside } from '../../parts/list-beside.tsx'
import { LinkButton } from '../../shell/link-button.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { ToolDetail } from './tool-detail.tsx'

/** Tools screen: every tool of every server, to find and to try. */
export function ToolsScreen() {
  const { server, name } = useParams({ strict: false })
  const { data, isPending } = useQuery(catalogueQuery)
  const tools = useMemo(() => data?.items.filter(({ kind }) => kind === 'tool') ?? [], [data])
  const offers = useMemo(() => listedEntries(tools), [tools])
  const tool = tools.find((one) => one.server === server && one.original === name)
  return (
    <Screen title="Tools" about={isPending ? 'Looking' : plural(tools.length, 'tool')}>
      {!isPending && tools.length === 0 ? (
        <Empty title="No tool is known yet" action={<LinkButton to="/servers/add">Add a server</LinkButton>}>
          Add a server and accept it, or start one of your <Link to="/servers">servers</Link>: its tools appear here, to
          try and to allow.
        </Empty>
      ) : (
        <ListBeside
          list={<OfferList offers={offers} base="tools" noun="tool" chosen={[server, name]} />}
          isOpen={name !== undefined}
          back={{ to: '/tools', title: 'All tools' }}
        >
          {tool ? (
            <ToolDetail key={tool.name} tool={tool} />
          ) : (
            <Empty title={name === undefined ? 'Choose a tool to try it' : `There is no tool "${name}" any more`}>
              Each runs from a form, under the same rules as a call of your editor.
            </Empty>
          )}
        </ListBeside>
      )}
    </Screen>
  )
}
