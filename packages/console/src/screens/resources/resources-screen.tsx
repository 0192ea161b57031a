import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { catalogueQuery, serversQuery } from '../../host/queries.ts'
import { Empty } from '../../parts/empty.tsx'
import { ListBeside } from '../../parts/list-beside.tsx'
import { LinkButton } from '../../shell/link-button.tsx'
import { Screen } from '../../shell/screen.tsx'
import { ResourceDetail } from './resource-detail.tsx'
import { ResourceList } from './resource-list.tsx'
import { TemplateDetail } from './template-detail.tsx'

/** The resources and templates of all servers, with previews. */
export function ResourcesScreen() {
  const { server, name } = useParams({ strict: false })
  const known = useQuery(serversQuery).data?.items
  const servers = useMemo(() => known?.filter(({ isAccepted }) => isAccepted) ?? [], [known])
  const entries = useQuery(catalogueQuery).data?.items
  const templates = useMemo(() => entries?.filter(({ kind }) => kind === 'template') ?? [], [entries])
  const skills = useMemo(() => entries?.filter(({ kind }) => kind === 'skill') ?? [], [entries])
  const skill = skills.find((one) => one.server === server && one.original === name)
  const template = templates.find((one) => one.server === server && one.original === name)
  return (
    <Screen title="Resources" about="What your servers let you read">
      {known && servers.length === 0 ? (
        <Empty title="No server is accepted yet" action={<LinkButton to="/servers">Accept a server</LinkButton>}>
          What it lets you read appears here.
        </Empty>
      ) : (
        <ListBeside
          list={<ResourceList servers={servers} templates={templates} skills={skills} chosen={[server, name]} />}
          isOpen={name !== undefined}
          back={{ to: '/resources', title: 'All resources' }}
        >
          {template && <TemplateDetail key={template.name} template={template} />}
          {skill && (
            <Empty title="This is a skill">
              <Link to="/skills/$server/$name" params={{ server: skill.server, name: skill.original }}>
                Open it
              </Link>{' '}
              under Skills.
            </Empty>
          )}
          {!template && !skill && server !== undefined && name !== undefined && (
            <ResourceDetail key={`${server} ${name}`} server={server} uri={name} />
          )}
          {name === undefined && (
            <Empty title="Choose a resource to read it">
              An open one renews itself when its server says that it changed.
            </Empty>
          )}
        </ListBeside>
      )}
    </Screen>
  )
}
