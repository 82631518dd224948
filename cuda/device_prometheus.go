package cuda

import (
	"bytes"
	"fmt"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

func basisPoints(v uint64) string { return fmt.Sprintf("%d.%02d %%", v/100, v%100) }

// Prometheus is the counters in Prometheus' text format, each named vyre_cuda_..._total with the
// device as its label.
func (t Telemetry) Prometheus() (string, error) {
	var b bytes.Buffer
	kind := dto.MetricType_COUNTER
	label := "device"
	for _, row := range counterRows {
		name, help, v := "vyre_cuda_"+row.name+"_total", row.help, float64(t.Values[row.name])
		family := &dto.MetricFamily{Name: &name, Help: &help, Type: &kind, Metric: []*dto.Metric{{
			Label: []*dto.LabelPair{{Name: &label, Value: &t.Device}}, Counter: &dto.Counter{Value: &v},
		}}}
		if _, err := expfmt.MetricFamilyToText(&b, family); err != nil {
			return "", wrap("Telemetry.Prometheus", name, err)
		}
	}
	return b.String(), nil
}
