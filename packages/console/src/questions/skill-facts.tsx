import { Fragment } from 'react'
import type { Question } from '../host/queries.ts'
import { DescriptionList } from '../parts/description-list.tsx'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'

/** A skill that is asked about: its name, file, version and size, in the words of its server. */
export function SkillFacts({ detail }: { readonly detail: Question['detail'] }) {
  const facts = Object.entries((detail.arguments ?? {}) as Record<string, unknown>)
  return (
    <div className={styles.part}>
      <span className={styles.partTitle}>The skill</span>
      <DescriptionList>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <Said text={typeof value === 'string' ? value : JSON.stringify(value)} />
            </dd>
          </Fragment>
        ))}
      </DescriptionList>
    </div>
  )
}
