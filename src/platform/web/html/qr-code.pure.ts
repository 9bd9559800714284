import { encodeQR } from 'qr';

/** A QR code as the API carries it (specification/checkout.md#payment-uri-and-qr-code). */
export interface QrCode {
  content: string;
  format: 'image/svg+xml';
  dataUri: string;
}

/** Light modules around the code that scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * SVG markup for inline use: black on its own white background, so that it also scans on a dark page. It contains no
 * text, so the content needs no escaping.
 */
export function qrCodeSvg(content: string): string {
  const rows = encodeQR(content, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const path = rows.map((row, y) => darkRuns(row, y)).join('');
  const box = `0 0 ${rows.length} ${rows.length}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z"/><path d="${path}"/></svg>`
  );
}

/** The same as a data URI, with its content. */
export function qrCode(content: string): QrCode {
  const base64 = Buffer.from(qrCodeSvg(content)).toString('base64');
  return { content, format: 'image/svg+xml', dataUri: `data:image/svg+xml;base64,${base64}` };
}

/** One rectangle for each run of dark modules: a third of the size of one rectangle for each module. */
function darkRuns(row: boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    const start = x;
    while (row[x]) x++;
    if (x > start) path += `M${start} ${y}h${x - start}v1H${start}z`;
  }
  return path;
}
