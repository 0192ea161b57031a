import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { routeQuery } from '../../host/queries.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import styles from '../../parts/list-beside.module.css'
import { itemProps, ListBeside } from '../../parts/list-beside.tsx'
import { Screen } from '../../shell/screen.tsx'
import { ClientTokens } from './client-tokens.tsx'
import { ProjectRoots } from './project-roots.tsx'
import { SecretList } from './secret-list.tsx'
import { type Section, SettingsSection } from './settings-section.tsx'

/** Titles of sections in their order; one that is not named here is the last, under its key. */
const titles: { readonly [key: string]: string } = {
  models: 'Models and keys',
  model: 'Model in use, budgets',
  ledger: 'Retention',
  notify: 'Notices',
  host: 'Host and port',
  profiles: 'Profiles',
  network: 'Network',
  pipe: 'Plans of calls',
  inputs: 'Inputs',
  projects: 'Projects and roots',
}

/** Sections that are not settings of the file. */
const others: { readonly [key: string]: { readonly title: string; readonly content: ReactNode } } = {
  secrets: { title: 'Secrets', content: <SecretList /> },
  clients: { title: 'Clients and tokens', content: <ClientTokens /> },
}

/** Settings of the host, each in the file it is written to. */
export function SettingsScreen() {
  const { section } = useParams({ strict: false })
  const { data, error } = useQuery({ ...routeQuery('settings'), staleTime: 0 })
  const order = Object.keys(titles)
  const place = ({ key }: Section) => (order.includes(key) ? order.indexOf(key) : order.length)
  const sections = (data?.sections ?? []).toSorted((one, other) => place(one) - place(other))
  const all = [
    ...sections.map(({ key }) => ({ key, title: titles[key] ?? key })),
    ...Object.entries(others).map(([key, { title }]) => ({ key, title })),
  ]
  const shown = sections.find(({ key }) => key === section)
  const title = all.find(({ key }) => key === section)?.title ?? ''
  return (
    <Screen title="Settings" about="Each change is shown in its file before it is written.">
      <Failure error={error} />
      <ListBeside
        list={
          <ul className={styles.list} aria-label="Settings">
            {all.map(({ key, title: words }) => (
              <li key={key}>
                <Link to="/settings/$section" params={{ section: key }} {...itemProps(key === section)}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        }
        isOpen={section !== undefined}
        back={{ to: '/settings', title: 'All settings' }}
      >
        {shown && <SettingsSection key={shown.key} section={shown} title={title} />}
        {shown?.key === 'projects' && <ProjectRoots />}
        {section !== undefined && others[section]?.content}
        {section === undefined && (
          <Empty title="Choose what to set">Servers and the policy have screens of their own.</Empty>
        )}
      </ListBeside>
    </Screen>
  )
}
