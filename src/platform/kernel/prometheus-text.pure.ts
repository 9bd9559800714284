/** One value, with its labels in the order in which they are written. */
export interface Sample {
  /** For histograms: the suffix of the series' name. */
  suffix?: '_bucket' | '_sum' | '_count';
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** Samples of one name. */
export interface MetricFamily {
  /** `[a-zA-Z_:][a-zA-Z0-9_:]*`; a counter's ends in `_total`. */
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram' | 'summary';
  samples: readonly Sample[];
}

/** The text format that Prometheus reads (exposition formats, text-based format 0.0.4). */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
/** Names with two leading underscores are reserved by Prometheus. */
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Renders families in the given order. @throws Error for a name that Prometheus rejects, or a duplicate */
export function renderMetrics(families: readonly MetricFamily[]): string {
  const names = new Set<string>();
  let text = '';
  for (const { name, help, type, samples } of families) {
    if (!METRIC_NAME.test(name)) throw new Error(`invalid metric name "${name}"`);
    if (names.has(name)) throw new Error(`the metric ${name} is listed twice`);
    names.add(name);
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    const series = new Set<string>();
    for (const { suffix = '', labels = {}, value } of samples) {
      const key = name + suffix + renderLabels(labels);
      if (series.has(key)) throw new Error(`the series ${key} is listed twice`);
      series.add(key);
      text += `${key} ${renderValue(value)}\n`;
    }
  }
  return text;
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    if (!LABEL_NAME.test(name)) throw new Error(`invalid label name "${name}"`);
    return `${name}="${escapeLabel(value)}"`;
  });
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** In the form that Go's ParseFloat reads. */
function renderValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
