import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { catalogueQuery, serversQuery } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import { Empty } from '../../parts/empty.tsx'
import { Field } from '../../parts/field.tsx'
import { Screen } from '../../shell/screen.tsx'
import { ResourceDetail } from './resource-detail.tsx'
import { ResourceList } from './resource-list.tsx'
import { TemplateDetail } from './template-detail.tsx'

/** What can be read? The resources and templates of each server, with previews. */
export function ResourcesScreen() {
  const { server: wanted, name } = useParams({ strict: false })
  const navigate = useNavigate()
  const servers = useQuery(serversQuery).data?.items.filter(({ isAccepted }) => isAccepted) ?? []
  const server = wanted ?? servers[0]?.name
  const entries = useQuery(catalogueQuery).data?.items ?? []
  const templates = entries.filter((one) => one.kind === 'template' && one.server === server)
  const template = templates.find(({ original }) => original === name)
  if (server === undefined) {
    return (
      <Screen title="Resources">
        <Empty title="No server is accepted yet">Its resources appear here.</Empty>
      </Screen>
    )
  }
  return (
    <Screen title="Resources" about="What servers let be read">
      <div className={styles.columns}>
        <div className={styles.side}>
          <Field label="Server">
            {(ids) => (
              <select
                {...ids}
                value={server}
                onChange={({ target }) => void navigate({ to: '/resources/$server', params: { server: target.value } })}
              >
                {servers.map((one) => (
                  <option key={one.name}>{one.name}</option>
                ))}
              </select>
            )}
          </Field>
          <ResourceList key={server} server={server} templates={templates} chosen={name} />
        </div>
        {template && <TemplateDetail key={template.name} template={template} />}
        {!template && name !== undefined && <ResourceDetail key={`${server} ${name}`} server={server} uri={name} />}
        {name === undefined && <Empty title="Choose a resource to read it" />}
      </div>
    </Screen>
  )
}
