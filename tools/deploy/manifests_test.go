// Package deploy_test holds the manifests of deploy/kubernetes to the types of Kubernetes,
// and to what they promise.
package deploy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// built is what `kubectl apply -k` would send.
func built(t *testing.T) resmap.ResMap {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "deploy", "kubernetes"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "token"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// decode reads the one object of a kind and name. A field that Kubernetes does not know is
// an error.
func decode[T any](t *testing.T, all resmap.ResMap, kind, name string) (object T) {
	t.Helper()
	for _, r := range all.Resources() {
		if r.GetKind() == kind && r.GetName() == name {
			text, err := r.AsYAML()
			if err == nil {
				err = yaml.UnmarshalStrict(text, &object)
			}
			if err != nil {
				t.Fatalf("%s %s: %v", kind, name, err)
			}
			return object
		}
	}
	t.Fatalf("there is no %s %s", kind, name)
	return object
}

func TestManifests(t *testing.T) {
	all := built(t)
	server := decode[appsv1.Deployment](t, all, "Deployment", "greet-server")
	job := decode[batchv1.Job](t, all, "Job", "greet-workers")
	checkPod(t, server.Spec.Template.Spec, "worker")
	checkPod(t, job.Spec.Template.Spec, "server")
	const workers = 4
	if *job.Spec.Completions != workers || *job.Spec.Parallelism != workers || *job.Spec.CompletionMode != batchv1.IndexedCompletion || *job.Spec.BackoffLimitPerIndex != 0 {
		t.Errorf("%d completions, %d at a time, %s", *job.Spec.Completions, *job.Spec.Parallelism, *job.Spec.CompletionMode)
	}
	env := map[string]string{}
	for _, v := range job.Spec.Template.Spec.Containers[0].Env {
		env[v.Name] = v.Value
	}
	if env["JOB_COMPLETIONS"] != "4" {
		t.Errorf("JOB_COMPLETIONS is %q", env["JOB_COMPLETIONS"])
	}
	for _, name := range []string{"greet-server", "greet-workers"} {
		service := decode[corev1.Service](t, all, "Service", name)
		if service.Spec.ClusterIP != corev1.ClusterIPNone {
			t.Errorf("service %s has the address %s", name, service.Spec.ClusterIP)
		}
	}
	checkNames(t, server, job, all)
}

// checkPod wants a pod to have no more rights and no other resources than it needs, on a
// node without the other component.
func checkPod(t *testing.T, pod corev1.PodSpec, apart string) {
	t.Helper()
	c := pod.Containers[0]
	switch security := c.SecurityContext; {
	case !*pod.SecurityContext.RunAsNonRoot, !*security.ReadOnlyRootFilesystem, *security.AllowPrivilegeEscalation, *pod.AutomountServiceAccountToken:
		t.Errorf("%s has rights that it does not need", c.Name)
	case c.Resources.Limits.Cpu().Cmp(*c.Resources.Requests.Cpu()) != 0, c.Resources.Limits.Memory().Cmp(*c.Resources.Requests.Memory()) != 0, c.Resources.Limits.Cpu().IsZero():
		t.Errorf("%s asks for other resources than it may use", c.Name)
	}
	terms := pod.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if len(terms) != 1 || terms[0].LabelSelector.MatchLabels["app.kubernetes.io/component"] != apart {
		t.Errorf("%s may share a node with %s", c.Name, apart)
	}
}

// checkNames wants the names in the workers' command to be those of the services.
func checkNames(t *testing.T, server appsv1.Deployment, job batchv1.Job, all resmap.ResMap) {
	t.Helper()
	args := strings.Join(job.Spec.Template.Spec.Containers[0].Args, " ")
	meeting := job.Name + "-0." + job.Spec.Template.Spec.Subdomain + ":7400"
	for _, want := range []string{"--rendezvous=" + meeting, "=" + server.Name + ":9000", "=" + server.Name + ":9001"} {
		if !strings.Contains(args, want) {
			t.Errorf("the workers' command lacks %s: %s", want, args)
		}
	}
	for _, name := range []string{"greet-server", "greet-workers"} {
		service := decode[corev1.Service](t, all, "Service", name)
		labels := job.Spec.Template.Labels
		if name == server.Name {
			labels = server.Spec.Template.Labels
		}
		for key, value := range service.Spec.Selector {
			if labels[key] != value {
				t.Errorf("service %s selects %s=%s, and its pods have %q", name, key, value, labels[key])
			}
		}
	}
}
