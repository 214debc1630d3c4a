{% for line in comment %}
# {{ line }}
{% endfor %}
{% macro geom(s) %}
{%- if s.kind == "sphere" -%} type="sphere" size="{{ s.radius }}"
{%- elif s.kind == "box" and not s.rounded -%} type="box" size="{{ s.half|join(" ") }}"
{%- elif s.kind == "capsule" -%} type="capsule" size="{{ s.radius }}" fromto="{{ s.a|replace(",", "") }} {{ s.b|replace(",", "") }}"
{%- elif s.kind == "cylinder" -%} type="cylinder" size="{{ s.radius }} {{ s.half_height }}" quat="{{ s.from_z.wxyz|replace(",", "") }}"
{%- elif s.kind == "mesh" -%} {{ fail("collides a mesh as its hull", s) }}
{%- else %}{{ fail("has no template for a " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
{% macro geoms(b) %}
{%- if b.shape.kind == "compound" -%}
{%- for part in b.shape.parts -%}<geom {{ geom(part.shape)|trim }} pos="{{ part.p|replace(",", "") }}" quat="{{ part.wxyz|replace(",", "") }}" mass="{{ b.mass }}"/>{%- endfor -%}
{%- else -%}<geom {{ geom(b.shape)|trim }} mass="{{ "1e6" if b.motion == "kinematic" else b.mass }}"/>{%- endif -%}
{% endmacro %}
import mujoco
import numpy

{% if fixed %}
FIX = {{ "True" if set else "False" }}  # True: {{ fix.text }}
{% endif %}
SUBSTEPS = {{ fix.substeps ~ " if FIX else 1" if fix.substeps > 1 else "1" }}
{% if "on" in ccd %}
CCD = {{ "True" if ccd == "on" else "FIX" }}
{% endif %}
DT = {{ dt }}
XML = """
<mujoco>
  <option gravity="{{ gravity|replace(",", "") }}"/>
  <worldbody>
{% for b in bodies %}
    <!-- {{ b.name|replace("--", "- -")|replace('"""', "'") }} -->
    <body name="{{ b.id }}" pos="{{ b.p|replace(",", "") }}" quat="{{ b.wxyz|replace(",", "") }}"{{ ' gravcomp="1"' if b.motion == "kinematic" }}>
      {{ "<freejoint name='" ~ b.id ~ "'/>" if b.motion != "fixed" }}{{ geoms(b)|trim }}
    </body>
{% endfor %}
  </worldbody>
</mujoco>
"""


def fails(phase):
    model = mujoco.MjModel.from_xml_string(XML)
{% if "on" in ccd %}
    if CCD:
        model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SPECULATIVE)
{% endif %}
{% if fix.contact_time %}
    if FIX:
        model.geom_solref[:, 0] = {{ fix.contact_time }}
{% endif %}
{% if not collides %}
    if {{ "not FIX" if fix.mask else "True" }}:
        model.geom_contype[:] = model.geom_conaffinity[:] = 0
{% endif %}
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)

    def velocity(name, v, w):
        # The angular velocity of a free joint is in the body's own axes.
        at = model.body_dofadr[model.body(name).id]
        data.qvel[at : at + 3] = v
        data.qvel[at + 3 : at + 6] = data.body(name).xmat.reshape(3, 3).T @ numpy.array(w)

{% for b in bodies if b.motion != "fixed" and not b.is_set %}
    velocity("{{ b.id }}", {{ fix.speed ~ " ** FIX * " if fix.speed }}numpy.array([{{ b.v }}]), [{{ b.w }}])
{% endfor %}
    for step in range({{ steps }}):
        model.opt.timestep = DT * ((1 - phase) if step == 0 else 1) / SUBSTEPS
        for _ in range(SUBSTEPS):
{% for b in bodies if b.motion == "kinematic" and not b.is_set %}
            velocity("{{ b.id }}", [{{ b.v }}], [{{ b.w }}])
{% endfor %}
{% for b in bodies if b.is_set %}
{% if fix.drive %}
            if FIX and ({{ "step == 0" if b.motion == "dynamic" else "True" }}):
                velocity("{{ b.id }}", [{{ b.v }}], [{{ b.w }}])
            if not FIX:
{% else %}
            if True:
{% endif %}
                at = model.jnt_qposadr[model.body("{{ b.id }}").jntadr[0]]
                data.qpos[at : at + 3] += numpy.array([{{ b.v }}]) * model.opt.timestep
                velocity("{{ b.id }}", [0, 0, 0], [0, 0, 0])
{% endfor %}
            mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
{% if check.is_place %}
    mover, base = data.body("{{ check.mover }}"), data.body("{{ check.base }}")
    place = base.xmat.reshape(3, 3).T @ (mover.xpos - base.xpos)
    return (place - numpy.array([{{ check.point }}])) @ numpy.array([{{ check.normal }}]) < {{ check.least }}
{% else %}
    v = data.joint("{{ check.mover }}").qvel[:3]{{ ' - data.joint("' ~ check.base ~ '").qvel[:3]' if check.base }}
{% if check.base %}
    # Farther apart they cannot have met.
    is_near = numpy.linalg.norm(data.body("{{ check.mover }}").xpos - data.body("{{ check.base }}").xpos) < {{ check.near }}
{% endif %}
    return {{ "is_near and " if check.base }}v @ numpy.array([{{ check.normal }}]) < {{ check.least }}
{% endif %}


failed = sum(fails(phase / {{ phases }}) for phase in range({{ phases }}))
print(f"{failed} of {{ phases }} phases")
assert failed == 0, "{{ check.fault }}"
