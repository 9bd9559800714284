import { encodeQR } from 'qr';
import type { ReactNode } from 'react';
import styles from './parts.module.css';

/** Light modules around the code that scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A code for the camera of a phone. */
export default function Qr({ content, label }: { content: string; label: string }): ReactNode {
  const rows = encodeQR(content, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const path = rows
    .map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1H${x}z` : '')).join(''))
    .join('');
  return (
    <svg
      className={styles['qr']}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
