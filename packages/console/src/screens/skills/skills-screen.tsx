import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type CatalogueEntry, catalogueQuery } from '../../host/queries.ts'
import { skillOf } from '../../offers/skill.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import styles from '../../parts/list-beside.module.css'
import { itemProps, ListBeside } from '../../parts/list-beside.tsx'
import { LinkButton } from '../../shell/link-button.tsx'
import { Screen } from '../../shell/screen.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import { SkillDetail } from './skill-detail.tsx'

/** The skills of all servers: instructions that a model reads when a task needs them. */
export function SkillsScreen() {
  const { server, name } = useParams({ strict: false })
  const entries = useQuery(catalogueQuery).data?.items
  const skills = useMemo(() => entries?.filter(({ kind }) => kind === 'skill') ?? [], [entries])
  const [words, setWords] = useState('')
  const found = skills.filter((skill) => textOf(skill).includes(words.trim().toLowerCase()))
  const open = skills.find((one) => one.server === server && one.original === name)
  return (
    <Screen title="Skills" about="Instructions of your servers that a model reads when a task needs them">
      {entries && skills.length === 0 ? (
        <Empty title="No server offers a skill" action={<LinkButton to="/servers">See your servers</LinkButton>}>
          A server that brings skills lists them here once it is accepted.
        </Empty>
      ) : (
        <ListBeside
          list={
            <>
              <input
                type="search"
                aria-label="Search skills"
                placeholder={`Search ${plural(skills.length, 'skill')}`}
                value={words}
                onChange={({ target }) => setWords(target.value)}
              />
              <ul className={styles.list} aria-label="Skills">
                {found.map((skill) => (
                  <li key={`${skill.server} ${skill.original}`}>
                    <SkillLink skill={skill} isOpen={skill === open} />
                  </li>
                ))}
              </ul>
            </>
          }
          isOpen={name !== undefined}
          back={{ to: '/skills', title: 'All skills' }}
        >
          {open && <SkillDetail key={`${server} ${name}`} entry={open} />}
          {name === undefined && (
            <Empty title="Choose a skill">You see what it says of itself; its files are read when you want one.</Empty>
          )}
          {entries && name !== undefined && !open && <Empty title="There is no such skill">It may be gone.</Empty>}
        </ListBeside>
      )}
    </Screen>
  )
}

function SkillLink({ skill, isOpen }: { readonly skill: CatalogueEntry; readonly isOpen: boolean }) {
  const { server, original, standing } = skill
  return (
    <Link to="/skills/$server/$name" params={{ server, name: original }} {...itemProps(isOpen)}>
      <span className={styles.ends}>
        <Said text={`${skillOf(skill).name} · ${server}`} oneLine />
        {standing !== 'usable' && <Badge tone="warn">{standing}</Badge>}
      </span>
    </Link>
  )
}

function textOf(skill: CatalogueEntry): string {
  const { name, description } = skillOf(skill)
  return `${name} ${description} ${skill.server} ${skill.original}`.toLowerCase()
}
