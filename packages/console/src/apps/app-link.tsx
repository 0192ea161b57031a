import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { OutsideLink } from '../result/outside-link.tsx'
import styles from './apps.module.css'
import type { Asked } from './asked.ts'

/** A page that an app wants opened: only a click of the person goes there. */
export function AppLink({ link, server }: { readonly link: Asked<URL>; readonly server: string }) {
  return (
    <Notice tone="warn" live>
      The app of {server} wants you to visit a page:{' '}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the link inside is what is clicked */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link makes clicks of keys */}
      <span onClick={() => link.answer(true)}>
        <OutsideLink text={link.wanted.href} address={link.wanted.href} />
      </span>{' '}
      <span className={styles.start}>
        <Button size="s" onClick={() => link.answer(false)}>
          Do not open it
        </Button>
      </span>
    </Notice>
  )
}
