import { DescriptionList } from '../parts/description-list.tsx'
import { Block } from '../result/block.tsx'
import { LongText } from '../result/long-text.tsx'
import { prettyJson } from '../text/json.ts'
import { Said } from '../text/said.tsx'
import styles from './questions.module.css'

type Fields = { readonly [name: string]: unknown }

/** All of a request to a language model, as a person reads it: the system prompt, each message, and every other setting. */
export function PromptView({ request }: { readonly request: Fields }) {
  const { systemPrompt, messages, ...settings } = request
  return (
    <>
      <div className={styles.part}>
        <span className={styles.partTitle}>System prompt</span>
        {typeof systemPrompt === 'string' ? (
          <LongText text={systemPrompt} label="system prompt" />
        ) : (
          <p className={styles.why}>None</p>
        )}
      </div>
      <div className={styles.part}>
        <span className={styles.partTitle}>Messages</span>
        {(Array.isArray(messages) ? messages : [messages]).flatMap((message: Fields, at) =>
          blocksOf(message).map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
            <Block key={`${at} ${index}`} block={block} />
          )),
        )}
      </div>
      <div className={styles.part}>
        <span className={styles.partTitle}>Everything else that is sent</span>
        <DescriptionList>
          {Object.entries(settings).map(([name, value]) => (
            <Setting key={name} name={name} value={value} />
          ))}
        </DescriptionList>
      </div>
    </>
  )
}

function Setting({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>
        <Said text={name} oneLine />
      </dt>
      <dd>
        <Said text={typeof value === 'string' ? value : prettyJson(value)} />
      </dd>
    </>
  )
}

function blocksOf(message: Fields | undefined): readonly Fields[] {
  const { role, content } = message ?? {}
  return [content].flat().map((block) => ({ ...(block as Fields), role }))
}
