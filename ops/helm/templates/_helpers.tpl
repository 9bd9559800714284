{{- /* What all objects have in common. Call: include "gateway.labels" (dict "root" $ "component" "api"). */}}
{{- define "gateway.labels" -}}
{{ include "gateway.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- /* What never changes of a component, or of all of them without one. */}}
{{- define "gateway.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with get . "component" }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- /* The migration has another name, so that the rules of the running gateway are not its own. */}}
{{- define "gateway.migrationLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-migrate
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "gateway.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- /* Of the specification of a pod, where it runs and as whom: the image's user, who is told nothing of the cluster. */}}
{{- define "gateway.podSpec" -}}
automountServiceAccountToken: false
# Variables of Kubernetes' own, named after services, could be taken for settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 64Mi
{{- end }}

{{- /* Of a container: it writes nothing but /tmp. */}}
{{- define "gateway.containerSpec" -}}
image: {{ include "gateway.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop:
      - ALL
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- /* Egress to names. */}}
{{- define "gateway.egressToNames" -}}
- to:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: kube-system
  ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
{{- end }}

{{- /* Egress to the database. Call: include "gateway.egressToDatabase" (dict "root" $ "ports" (list 5432)). */}}
{{- define "gateway.egressToDatabase" -}}
- to:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: {{ .root.Values.networkPolicy.databaseNamespace | quote }}
    {{- range .root.Values.networkPolicy.databaseCidrs }}
    - ipBlock:
        cidr: {{ . | quote }}
    {{- end }}
  ports:
    {{- range .ports }}
    - protocol: TCP
      port: {{ . }}
    {{- end }}
{{- end }}
