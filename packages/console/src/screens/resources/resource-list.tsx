import { useMemo, useState } from 'react'
import { type ListedResource, useAllResources } from '../../host/all-resources.ts'
import type { CatalogueEntry, ServerSummary } from '../../host/queries.ts'
import { type ListedOffer, listedEntries } from '../../offers/listed-offer.ts'
import { OfferList } from '../../offers/offer-list.tsx'
import { skillOf } from '../../offers/skill.ts'
import { Button } from '../../parts/button.tsx'
import styles from '../../parts/list-beside.module.css'
import { Notice } from '../../parts/notice.tsx'
import { stateWord } from '../../parts/server-health.ts'
import { Said } from '../../text/said.tsx'
import { useNewResources } from './new-resources.ts'

export interface ResourceListProps {
  readonly servers: readonly ServerSummary[]
  readonly templates: readonly CatalogueEntry[]
  /** Skills, whose files are left out. */
  readonly skills: readonly CatalogueEntry[]
  readonly chosen: readonly [server: string | undefined, name: string | undefined]
}

/** The resources and templates of all servers that run; one that does not is asked when a person wants it. */
export function ResourceList({ servers, templates, skills, chosen }: ResourceListProps) {
  const [wanted, setWanted] = useState<readonly string[]>([])
  const isAsked = ({ name, state }: ServerSummary) => state === 'ready' || wanted.includes(name) || name === chosen[0]
  const asked = servers.filter(isAsked).map(({ name }) => name)
  const lists = useAllResources(asked)
  const isNew = useNewResources(lists)
  const ofSkills = useMemo(() => new Set(skills.flatMap(addressesOf)), [skills])
  const offers = useMemo(
    () => [
      ...lists
        .flatMap(({ items }) => items.filter(({ server, uri }) => !ofSkills.has(`${server} ${uri}`)))
        .map((one) => listedResource(one, isNew(one.server, one.uri))),
      ...listedEntries(templates).map((one) => ({ ...one, of: `${one.of} · template` })),
    ],
    [lists, templates, ofSkills, isNew],
  )
  return (
    <OfferList offers={offers} base="resources" noun="resource" chosen={chosen}>
      {lists.map(
        ({ server, problem, hasMore }) =>
          (problem !== undefined || hasMore) && (
            <Notice key={server} tone="warn">
              <Said text={server} />:{' '}
              {problem === undefined ? 'it has more than are listed here' : <Said text={problem} />}
            </Notice>
          ),
      )}
      {servers
        .filter((one) => !isAsked(one))
        .map(({ name, state }) => (
          <p key={name} className={styles.none}>
            <Said text={name} oneLine />: {stateWord(state)}{' '}
            <Button size="s" onClick={() => setWanted([...wanted, name])}>
              Ask {name}
            </Button>
          </p>
        ))}
    </OfferList>
  )
}

/** Files of a skill are read on its own page, also where their server lists them as resources. */
function addressesOf(entry: CatalogueEntry): readonly string[] {
  const { files } = skillOf(entry)
  const uris = files === 'dynamic' ? [entry.original] : files.map(({ uri }) => uri)
  return uris.map((uri) => `${entry.server} ${uri}`)
}

function listedResource({ server, uri, name, description }: ListedResource, isNew: boolean): ListedOffer {
  return {
    key: `${server} ${uri}`,
    server,
    name: uri,
    title: name,
    of: `${server} · ${uri}`,
    mark: isNew ? 'new' : undefined,
    text: `${name} ${uri} ${server} ${description}`.toLowerCase(),
  }
}
