import { Notice } from '../parts/notice.tsx'
import type { PageAddress } from '../text/address.ts'
import styles from './questions.module.css'

/** The host a page is on, with letters marked that look like others. */
export function HostName({ address: { host, letters, isMixed } }: { readonly address: PageAddress }) {
  return (
    <>
      <p className={styles.host}>
        {letters.map(({ text, isForeign }, index) =>
          isForeign ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: letters have no other identity
            <mark key={index} className={styles.alike} title="A letter that may look like another">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
      {isMixed && (
        <Notice tone="bad">
          The marked letters are not those of the Latin alphabet and may look like them. Its real name is{' '}
          <code>{host}</code>.
        </Notice>
      )}
    </>
  )
}
